#include "tests/app/cli/Program.h"
#include "tests/app/cli/TinyWorld.h"
#include "tests/support/TestData.h"

#include "core/data/Dataset.h"

#include <algorithm>
#include <memory>

using namespace trainyard::testing;
using nlohmann::json;

/// The verbs that use what was trained, and those that tell. One project, trained once.
class TestVerbs : public QObject {
    Q_OBJECT
    std::unique_ptr<ScratchFolder> m_folder;

    Ended run(const std::vector<std::string>& arguments) { return runProgram(arguments, m_folder->path()); }

private Q_SLOTS:
    void initTestCase() {
        m_folder = std::make_unique<ScratchFolder>();
        makeWords(*m_folder / "words");
        makeCoco(*m_folder / "coco");
        const auto crnn = makeCrnnConfig(m_folder->path(), *m_folder / "words");
        const auto retinanet = makeRetinaNetConfig(m_folder->path(), *m_folder / "coco");
        VERIFY_CODE(run({"train", crnn.string(), "--name", "words"}), 0);
        VERIFY_CODE(run({"train", retinanet.string(), "--name", "boxes"}), 0);
    }

    void evaluatesARunAsItsTrainingDid() {
        const json trained = onlyLine(run({"runs", "show", "boxes", "--json"})).at("evaluations").back();
        const json again = onlyLine(run({"evaluate", "boxes@8", "--json"}));
        QCOMPARE(again.at("iteration"), json(8));
        for (const auto& [name, value] : trained.at("metrics").items())
            QCOMPARE(again.at("metrics").at(name), value);
        const json results = json::parse(readText(again.at("results").get<std::string>()));
        for (const auto& found : results)
            QVERIFY(found.at("category_id") == 3 || found.at("category_id") == 7);
        const json scored = onlyLine(run({"evaluate", "--results", again.at("results").get<std::string>(), "--data",
                                          "coco:coco/annotations.json", "--json"}));
        for (const char* name : {"bbox/AP", "bbox/AP50", "bbox/AR100"})
            QVERIFY(qAbs(scored.at("metrics").at(name).get<double>() - again.at("metrics").at(name).get<double>()) <
                    1e-6);
    }

    void scoresPerfectResultsWithOne() {
        json results = json::array();
        const json annotations = json::parse(readText(*m_folder / "coco/annotations.json"));
        for (const auto& object : annotations.at("annotations"))
            results.push_back({{"image_id", object.at("image_id")},
                               {"category_id", object.at("category_id")},
                               {"bbox", object.at("bbox")},
                               {"score", 0.9}});
        writeText(*m_folder / "perfect.json", results.dump());
        const json scored =
            onlyLine(run({"evaluate", "--results", "perfect.json", "--data", "coco:coco/annotations.json", "--json"}));
        QCOMPARE(scored.at("metrics").at("bbox/AP").get<double>(), 1.0);
        QVERIFY(!scored.at("classes").empty());
        for (const auto& [name, score] : scored.at("classes").items())
            QVERIFY(score.at("objects") == 0 ? score.at("AP50").is_null()
                                             : qAbs(score.at("AP50").get<double>() - 1) < 1e-12);
        writeText(*m_folder / "none.json", "[]");
        const json none =
            onlyLine(run({"evaluate", "--results", "none.json", "--data", "coco:coco/annotations.json", "--json"}));
        QCOMPARE(none.at("metrics").at("bbox/AP").get<double>(), 0.0);
    }

    void scoresWordsByHand() {
        // two of ten right, one of them by its name alone; "dor" and "door" differ by one of four letters
        writeText(*m_folder / "read.jsonl", "{\"image\": \"word0.png\", \"text\": \"cat\"}\n"
                                            "{\"image\": \"elsewhere/word3.png\", \"text\": \"lamp\"}\n"
                                            "{\"image\": \"word1.png\", \"text\": \"dor\"}\n");
        const json scored =
            onlyLine(run({"evaluate", "--results", "read.jsonl", "--data", "folder+labels:words", "--json"}));
        QCOMPARE(scored.at("metrics").at("word_accuracy").get<double>(), 0.2);
        // cat door e7 lamp oak pier r2d2 sun toll yard have 3+4+2+4+3+4+4+3+4+4 = 35 letters; 3+4+3 of them were read
        QCOMPARE(scored.at("metrics").at("character_error_rate").get<double>(), (35 - 3 - 4 - 3) / 35.0);
    }

    void predictsFromACopiedCheckpoint() {
        ScratchFolder elsewhere;
        const auto saved = run({"checkpoints", "list", "boxes", "--json"}).lines().back().at("path").get<std::string>();
        std::filesystem::copy_file(*m_folder / "runs/2-boxes" / saved, elsewhere / "mine.pth");
        const std::string image = (*m_folder / "coco/images/picture0.png").string();
        const Ended ended = runProgram(
            {"predict", "mine.pth", image, "--out", "pictures", "--set", "model.retinanet.score_threshold=0.0"},
            elsewhere.path());
        VERIFY_CODE(ended, 0);
        const json line = onlyLine(ended);
        QCOMPARE(line.at("image"), json(image));
        QVERIFY(!line.at("detections").empty());
        for (const auto& found : line.at("detections")) {
            QVERIFY(found.at("label") == "disc" ||
                    found.at("label") == "bar"); // the classes travelled with the weights
            QCOMPARE(found.at("box").size(), 4u);
        }
        const auto picture = trainyard::readImage((elsewhere / "pictures/picture0.png").string(), 3, 1000000);
        VERIFY_RESULT(picture);
        QCOMPARE(picture->width, 64);
    }

    void predictsWordsAndNamesWhatItCannotRead() {
        const Ended ended = run({"predict", "words", "words/word0.png", "nowhere.png", "words/word1.png"});
        VERIFY_CODE(ended, 3);
        const auto lines = ended.lines();
        QCOMPARE(lines.size(), 2u);
        QVERIFY(lines[1].contains("text") && lines[1].contains("score"));
        QVERIFY(ended.err.find("nowhere.png") != std::string::npos);
    }

    void inspectsData() {
        const json words = onlyLine(run({"data", "inspect", "words", "--json"}));
        QCOMPARE(words.at("samples"), json(10));
        QCOMPARE(words.at("characters").at("r"), json(4)); // door, pier, r2d2, yard
        const json boxes = onlyLine(run({"data", "inspect", "coco:coco", "--json"}));
        QCOMPARE(boxes.at("classes").at("disc").at("objects"),
                 json(7)); // 5 first ones and 2 of the seconds (pictures 3 and 9)
        QCOMPARE(boxes.at("classes").at("bar").at("objects"), json(7));
        QVERIFY(boxes.at("problems").empty());
    }

    void describesTheSchemaAndPresets() {
        bool hasRate = false;
        for (const json& field : run({"config", "describe", "--json"}).lines())
            hasRate = hasRate || field.at("key") == "solve.base_lr";
        QVERIFY(hasRate);
        for (const json& preset : run({"config", "presets", "--json"}).lines())
            VERIFY_CODE(run({"config", "validate", preset.at("preset")}), 0);
        const auto different = run({"config", "diff", "run:words", "run:slower", "--json"});
        VERIFY_CODE(different, 2); // there is none
        const auto lines = run({"config", "diff", "crnn", "crnn-demo", "--json"}).lines();
        QVERIFY(!lines.empty());
        const auto shown = run({"config", "show", "crnn", "solve.base_lr=0.125", "--json"});
        const auto isRate = [](const json& one) { return one.at("key") == "solve.base_lr"; };
        const auto settings = shown.lines();
        const auto rate = std::find_if(settings.begin(), settings.end(), isRate);
        QVERIFY(rate != settings.end());
        QCOMPARE(rate->at("value").get<std::string>(), std::string("0.125"));
        QVERIFY(run({"config", "diff", "crnn", "crnn"}).out.find("the same") != std::string::npos);
    }

    void tellsWhatTheMachineOffers() {
        std::string all;
        for (const json& fact : run({"doctor", "--json"}).lines())
            all += fact.dump();
        QVERIFY(all.find("LibTorch") != std::string::npos);
        QVERIFY(all.find("thread") != std::string::npos);
    }

    void helpsEveryVerb() {
        for (const char* verb :
             {"train", "resume", "evaluate", "predict", "runs", "checkpoints", "config", "project", "data", "doctor"}) {
            const Ended ended = run({verb, "--help"});
            VERIFY_CODE(ended, 0);
            QVERIFY(ended.out.find("Usage: trainyard " + std::string(verb)) != std::string::npos);
        }
        VERIFY_CODE(run({"--version"}), 0);
    }
};

QTEST_GUILESS_MAIN(TestVerbs)
#include "tst_Verbs.moc"
