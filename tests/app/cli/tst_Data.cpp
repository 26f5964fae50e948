#include "tests/app/cli/Program.h"
#include "tests/app/cli/TinyWorld.h"
#include "tests/support/TestData.h"

#include "core/data/Dataset.h"

#include <algorithm>
#include <memory>

using namespace trainyard::testing;
using nlohmann::json;

namespace fs = std::filesystem;

namespace {

/// A picture of 64 × 64 pixels; the boxes are bright.
void savePicture(const fs::path& file) {
    trainyard::Image image{64, 64, 3, std::vector<std::uint8_t>(64 * 64 * 3, 40)};
    for (int y = 16; y < 48; ++y)
        for (int x = 16; x < 48; ++x)
            image.row(y)[3 * x + 1] = 230;
    fs::create_directories(file.parent_path());
    if (const auto written = trainyard::writeImage(file.string(), image); !written)
        throw std::runtime_error(written.error().sentence());
}

/// images/train, images/val and their labels, with data.yaml.
void makeYolo(const fs::path& folder) {
    writeText(folder / "data.yaml", "train: images/train\nval: images/val\nnames: [disc, bar]\n");
    for (const char* part : {"train", "val"})
        for (int i = 0; i < 4; ++i) {
            const std::string name = std::string(part) + std::to_string(i);
            savePicture(folder / "images" / part / (name + ".png"));
            writeText(folder / "labels" / part / (name + ".txt"), std::to_string(i % 2) + " 0.5 0.5 0.5 0.5\r");
        }
}

json problemOf(const json& inspected, const std::string& message) {
    for (const json& problem : inspected.at("problems"))
        if (problem.at("message").get<std::string>().find(message) != std::string::npos)
            return problem;
    return {};
}

} // namespace

/// Detection data, as one types it: `trainyard data inspect`, and `trainyard train` on it.
class tst_Data : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void init() {
        m_folder = std::make_unique<ScratchFolder>();
        makeCoco(*m_folder / "coco");
    }

    void inspectsYoloFolders() {
        makeYolo(*m_folder / "cells");
        writeText(*m_folder / "cells/labels/val/val1.txt", "1 0.5 0.5 0.5 0.5\n7 0.5 0.5 0.1 0.1\n0 0.5 0.5 0 0.5\n");
        const auto parts = run({"data", "inspect", "cells", "--json"}).lines();
        QCOMPARE(parts.size(), std::size_t(3)); // both parts, and what they share
        QCOMPARE(parts[0].at("use"), json("training"));
        QCOMPARE(parts[0].at("objects"), json(4));
        const json& seen = parts[1];
        QCOMPARE(seen.at("use"), json("validation"));
        QCOMPARE(seen.at("format"), json("yolo"));
        QCOMPARE(seen.at("samples"), json(4));
        QCOMPARE(seen.at("classes").at("disc").at("objects"), json(2));
        QCOMPARE(problemOf(seen, "unknown class 7").at("annotation"), json("2"));
        const json flat = problemOf(seen, "box without area");
        QCOMPARE(flat.at("annotation"), json("3"));
        QVERIFY(flat.at("file").get<std::string>().ends_with("labels/val/val1.txt"));
        QCOMPARE(onlyLine(run({"data", "inspect", "yolo:cells#train", "--json"})).at("objects"), json(4));
        const Ended text = run({"data", "inspect", "cells"});
        QVERIFY2(text.out.find("Annotation 3 has a box without area") != std::string::npos, text.out.c_str());
        QVERIFY2(text.out.find("val1.txt]") != std::string::npos, text.out.c_str());
    }

    void wordsAreInspectedAsTheyAreWritten() {
        fs::create_directories(*m_folder / "signs");
        writeText(*m_folder / "signs/broken.png", "");
        writeText(*m_folder / "signs/labels.txt", "broken.png Straße-7\n");
        const Ended ended = run({"data", "inspect", "signs", "--json"});
        VERIFY_CODE(ended, 3); // the alphabet of no model keeps its picture from being looked at
        const json seen = ended.lines().front();
        QCOMPARE(seen.at("samples"), json(1));
        QCOMPARE(seen.at("damaged"), json(1));
        QVERIFY(seen.at("characters").contains("ß"));
        const Ended byPreset = run({"data", "inspect", "signs", "--json", "--config", "crnn"});
        QVERIFY2((byPreset.out + byPreset.err).find("alphabet") != std::string::npos, byPreset.err.c_str());
    }

    void aMissingImageIsAnErrorOfTheData() {
        fs::remove(*m_folder / "coco/images/picture3.png");
        const Ended ended = run({"data", "inspect", "coco", "--quick"});
        VERIFY_CODE(ended, 3);
        QVERIFY2(ended.err.find("1 of its 10 images cannot be used") != std::string::npos, ended.err.c_str());
        QVERIFY2(ended.out.find("picture3.png: The image file is missing.") != std::string::npos, ended.out.c_str());
    }

    void classesAreMappedMergedAndDropped() {
        const auto classes = [&](const std::string& map) {
            return onlyLine(run({"data", "inspect", "coco", "--quick", "--json", "--set", "data.classes=" + map}))
                .at("classes");
        };
        const json before = classes("{}");
        QCOMPARE(before.size(), std::size_t(2));
        QCOMPARE(classes("{disc: thing, bar: thing}").at("thing").at("objects").get<int>(),
                 before.at("disc").at("objects").get<int>() + before.at("bar").at("objects").get<int>());
        QCOMPARE(classes("{bar: ''}").size(), std::size_t(1));
    }

    void rulesAreChosenByKey() {
        json annotations = json::parse(readText(*m_folder / "coco/annotations.json"));
        annotations["annotations"][0]["bbox"] = {60, 60, 30, 30};
        writeText(*m_folder / "coco/annotations.json", annotations.dump());
        VERIFY_CODE(run({"data", "inspect", "coco", "--quick"}), 0);
        const Ended stopped = run({"data", "inspect", "coco", "--quick", "--set", "data.on_outside=stop"});
        VERIFY_CODE(stopped, 3);
        QVERIFY2(stopped.err.find("Annotation 1 of picture0.png leaves the image") != std::string::npos,
                 stopped.err.c_str());
    }

    void picturesOfTwoPartsThatLookAlikeAreNamed() {
        makeVoc(*m_folder / "voc");
        fs::copy_file(*m_folder / "voc/JPEGImages/picture0.jpg", *m_folder / "voc/JPEGImages/picture3.jpg",
                      fs::copy_options::overwrite_existing); // a picture of train among those of test
        const auto lines = run({"data", "inspect", "voc#train", "voc#test", "--json"}).lines();
        QCOMPARE(lines.size(), std::size_t(3));
        const json& similar = lines.back().at("similar");
        QVERIFY(std::any_of(similar.begin(), similar.end(), [](const json& one) {
            return one.at("sample") == "picture3.jpg" && one.at("message") == "It looks like picture0.jpg of voc.";
        }));
    }

    void everyEdgeCaseIsHandledOrNamed() {
        NEED_SHARED_DATA(data, "image_edge_cases");
        json set = {
            {"images", json::array()}, {"annotations", json::array()}, {"categories", {{{"id", 1}, {"name", "x"}}}}};
        for (const auto& entry : fs::recursive_directory_iterator(data))
            if (entry.path().has_extension() && entry.path().extension() != ".md")
                set["images"].push_back({{"id", set["images"].size()}, {"file_name", entry.path().string()}});
        writeText(*m_folder / "edges.json", set.dump());
        const Ended ended = run({"data", "inspect", "edges.json"});
        VERIFY_CODE(ended, 3);
        QVERIFY2(ended.err.find("4 of its 37 images cannot be used") != std::string::npos, ended.err.c_str());
        for (const char* name : {"truncated_jpeg.jpg", "truncated_image.png", "broken.png", "broken_data_stream.png"})
            QVERIFY2(ended.out.find(name) != std::string::npos, name);
    }

    /// Everything at once: YOLO and COCO as one set, a share set aside by what is stored, tiles, repeats, flipped
    /// copies, batches of one orientation.
    void trainsOnCombinedData() {
        makeYolo(*m_folder / "cells");
        const auto config = makeRetinaNetConfig(m_folder->path(), *m_folder / "coco");
        const std::vector<std::string> command{"train",
                                               config.string(),
                                               "--name",
                                               "all",
                                               "data.train=[{format: coco, path: coco}, {format: yolo, path: cells}]",
                                               "data.validation=[]",
                                               "data.split.validation_share=0.3",
                                               "data.combine=concatenate",
                                               "data.aspect_grouping=true",
                                               "data.flipped_copies=true",
                                               "data.repeat_threshold=0.5",
                                               "data.tiles.size=48",
                                               "data.tiles.overlap=16",
                                               "data.resize.scales=[48, 64]",
                                               "data.resize.max_size=80",
                                               "solve.iterations=4"};
        const Ended ended = run(command);
        VERIFY_CODE(ended, 0);
        const json stored = json::parse(readText(*m_folder / "runs/1-all/data.json"));
        QCOMPARE(stored.at("split").size(), std::size_t(2));
        QCOMPARE(stored.at("split")[0].size(), std::size_t(3)); // of ten
        QCOMPARE(stored.at("split")[1].size(), std::size_t(1)); // of four
        VERIFY_CODE(run({"resume", "1", "--further", "2"}), 0);
        QCOMPARE(json::parse(readText(*m_folder / "runs/1-all/data.json")).at("split"), stored.at("split"));
        const json found = onlyLine(run({"predict", "all", "coco/images/picture0.png"}));
        QVERIFY(found.contains("detections"));
    }

    void proposalsComeWithTheirSet() {
        json proposals = json::array();
        for (int i = 0; i < 10; ++i)
            proposals.push_back({{"image_id", 100 + i}, {"bbox", {4, 4, 30, 30}}, {"score", 0.5}});
        writeText(*m_folder / "proposals.json", proposals.dump());
        const auto config = makeRetinaNetConfig(m_folder->path(), *m_folder / "coco");
        const auto with = [&](const std::string& file) {
            return run({"train", config.string(), "solve.iterations=2", "data.train[0].proposals=" + file});
        };
        VERIFY_CODE(with("proposals.json"), 0);
        proposals.erase(4);
        writeText(*m_folder / "others.json", proposals.dump());
        const Ended refused = with("others.json");
        VERIFY_CODE(refused, 3);
        QVERIFY2(refused.err.find("1 of its 10 images have none, picture4.png the first") != std::string::npos,
                 refused.err.c_str());
        VERIFY_CODE(with("nowhere.json"), 3);
    }

private:
    Ended run(const std::vector<std::string>& arguments) const { return runProgram(arguments, m_folder->path()); }

    std::unique_ptr<ScratchFolder> m_folder;
};

QTEST_GUILESS_MAIN(tst_Data)
#include "tst_Data.moc"
