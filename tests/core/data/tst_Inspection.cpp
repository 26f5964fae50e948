#include "core/data/Inspection.h"
#include "tests/core/data/Worlds.h"

#include <algorithm>

using namespace trainyard;
using namespace trainyard::testing;

namespace {

/// Stripes that get denser to the right, moved by `shift`.
Image stripes(int width, int height, int shift) {
    Image image = plainImage(width, height);
    for (int y = 0; y < height; ++y)
        for (int x = 0; x < width; ++x) {
            const int bright = ((x + shift) * (x + shift) * 9 / width + y) / 60 % 2 ? 220 : 40;
            std::fill_n(image.row(y) + 3 * x, 3, std::uint8_t(bright));
        }
    return image;
}

Inspection inspect(const std::filesystem::path& path, const std::string& format = "auto") {
    const auto data = open(entryOf(path, "", format), TaskKind::Detection, {}, false);
    if (!data)
        throw std::runtime_error(data.error().sentence());
    InspectionOptions options;
    options.decodesImages = true;
    return inspectDataset(**data, options);
}

const DataProblem* find(const Inspection& inspection, const std::string& part) {
    const auto found =
        std::find_if(inspection.problems.begin(), inspection.problems.end(),
                     [&](const DataProblem& problem) { return problem.message.find(part) != std::string::npos; });
    return found == inspection.problems.end() ? nullptr : &*found;
}

std::string cocoOf(const std::string& images, const std::string& annotations) {
    return "{\"images\": [" + images + "], \"categories\": [{\"id\": 1, \"name\": \"x\"}], \"annotations\": [" +
           annotations + "]}";
}

} // namespace

/// What is wrong with a detection set, with file and annotation.
class tst_Inspection : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void namesFileAndAnnotation_data() {
        QTest::addColumn<QString>("annotation"); // of image 1, 40 × 20 pixels
        QTest::addColumn<QString>("message");
        QTest::addColumn<QString>("id");
        QTest::newRow("no area") << R"({"id": 5, "image_id": 1, "category_id": 1, "bbox": [1, 1, 0, 4]})"
                                 << "box without area"
                                 << "5";
        QTest::newRow("outside") << R"({"id": 5, "image_id": 1, "category_id": 1, "bbox": [30, 1, 20, 4]})"
                                 << "leaves the image"
                                 << "5";
        QTest::newRow("outside, size unknown")
            << R"({"id": 6, "image_id": 2, "category_id": 1, "bbox": [30, 1, 20, 4]})"
            << "leaves the image of 40 x 20 pixels"
            << "6";
        QTest::newRow("category") << R"({"id": 7, "image_id": 1, "category_id": 4, "bbox": [3, 1, 2, 4]})"
                                  << "unknown category 4"
                                  << "7";
        QTest::newRow("image") << R"({"id": "q", "image_id": 9, "category_id": 1, "bbox": [3, 1, 2, 4]})"
                               << "belongs to image 9"
                               << "q";
        QTest::newRow("id") << R"({"id": 1, "image_id": 1, "category_id": 1, "bbox": [3, 1, 2, 4]})"
                            << "id of another annotation"
                            << "1";
        QTest::newRow("duplicate") << R"({"id": 2, "image_id": 1, "category_id": 1, "bbox": [9, 9, 5, 5]})"
                                   << "repeats annotation 1"
                                   << "2";
        QTest::newRow("malformed") << R"({"id": 2, "image_id": 1, "category_id": 1, "bbox": [9, 9, 5]})"
                                   << "malformed"
                                   << "2";
        QTest::newRow("no image") << R"({"category_id": 1, "bbox": [9, 9, 5, 5]})"
                                  << "no image_id"
                                  << "number 2";
    }
    void namesFileAndAnnotation() {
        QFETCH(QString, annotation);
        QFETCH(QString, message);
        QFETCH(QString, id);
        const ScratchFolder folder;
        writeText(
            folder / "set.json",
            cocoOf(R"({"id": 1, "file_name": "a.png", "width": 40, "height": 20}, {"id": 2, "file_name": "b.png"})",
                   R"({"id": 1, "image_id": 1, "category_id": 1, "bbox": [9, 9, 5, 5]}, )" + annotation.toStdString()));
        writePicture(folder / "a.png");
        writePicture(folder / "b.png");
        const Inspection seen = inspect(folder / "set.json");
        const DataProblem* problem = find(seen, message.toStdString());
        QVERIFY(problem);
        QCOMPARE(problem->annotation, id.toStdString());
        QCOMPARE(problem->file.empty(), id == "6"); // found in the picture, not in the file
        QCOMPARE(seen.errors(), 0);
        QCOMPARE(seen.problems.size(), std::size_t(1));
    }

    void imagesThatCannotBeUsedAreErrors() {
        const ScratchFolder folder;
        writeText(folder / "set.json", cocoOf(R"({"id": 1, "file_name": "a.png"}, {"id": 2, "file_name": "gone.png"},
                            {"id": 3, "file_name": "c.png", "width": 20, "height": 40}, {"id": 4, "file_name": "d.png"})",
                                              ""));
        for (const char* name : {"a.png", "c.png", "d.png"})
            writePicture(folder / name);
        const std::string bytes = *readFile(folder / "d.png");
        writeText(folder / "d.png", bytes.substr(0, bytes.size() / 2));
        const Inspection seen = inspect(folder / "set.json");
        QCOMPARE(seen.samples, 3);
        QCOMPARE(seen.decoded, 1);
        QCOMPARE(seen.damaged, 2);
        QCOMPARE(seen.errors(), 3);
        QVERIFY(find(seen, "missing")->sample == "gone.png");
        QVERIFY(find(seen, "The annotations say 20 x 40 pixels, the upright image has 40 x 20")->sample == "c.png");
        QVERIFY(find(seen, "d.png"));
    }

    void picturesThatLookAlikeAreFoundInOtherSets() {
        const ScratchFolder folder;
        std::filesystem::create_directories(folder / "a");
        std::filesystem::create_directories(folder / "b");
        const auto save = [&](const std::string& name, const Image& image) {
            QVERIFY(writeImage((folder / name).string(), image).has_value());
        };
        save("a/one.png", stripes(320, 240, 0));
        save("a/two.png", stripes(320, 240, 90));
        save("a/plain.png", plainImage(40, 20));
        save("b/again.jpg", stripes(320, 240, 0)); // compressed
        save("b/plain.png", plainImage(50, 30));   // nothing to compare
        writeText(folder / "a/set.json", cocoOf(R"({"id": 1, "file_name": "one.png"}, {"id": 2, "file_name": "two.png"},
                            {"id": 3, "file_name": "plain.png"})",
                                                ""));
        writeText(folder / "b/set.json",
                  cocoOf(R"({"id": 1, "file_name": "again.jpg"}, {"id": 2, "file_name": "plain.png"})", ""));
        const auto similar = similarPictures(inspect(folder / "a/set.json"), inspect(folder / "b/set.json"));
        QCOMPARE(similar.size(), std::size_t(1));
        QCOMPARE(similar[0].sample, std::string("again.jpg"));
        QCOMPARE(similar[0].message, std::string("It looks like one.png of set.json."));
    }

    void everyEdgeCaseIsHandledOrNamed() {
        NEED_SHARED_DATA(data, "image_edge_cases");
        std::string images;
        int count = 0;
        for (const auto& entry : std::filesystem::recursive_directory_iterator(data))
            if (entry.path().has_extension() && entry.path().extension() != ".md") {
                images += std::string(count > 0 ? "," : "") + "{\"id\": " + std::to_string(count) +
                          ", \"file_name\": \"" + entry.path().string() + "\"}";
                ++count;
            }
        QCOMPARE(count, 37);
        const ScratchFolder folder;
        writeText(folder / "set.json", cocoOf(images, ""));
        const Inspection seen = inspect(folder / "set.json");
        QCOMPARE(seen.samples, 37);
        QCOMPARE(seen.decoded, 33);
        QCOMPARE(seen.damaged, 4);
        for (const char* name : {"truncated_jpeg.jpg", "truncated_image.png", "broken.png", "broken_data_stream.png"})
            QVERIFY2(std::any_of(seen.problems.begin(), seen.problems.end(),
                                 [&](const DataProblem& problem) {
                                     return problem.severity == DataProblem::Severity::Error &&
                                            problem.message.find(name) != std::string::npos;
                                 }),
                     name);
    }
};

QTEST_GUILESS_MAIN(tst_Inspection)
#include "tst_Inspection.moc"
