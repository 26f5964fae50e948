#include "tests/app/cli/Program.h"
#include "tests/app/cli/TinyWorld.h"
#include "tests/support/TestData.h"

#include <memory>

using namespace trainyard::testing;
using nlohmann::json;

/// The verb `evaluate`: what it writes beside its metrics, and what it is told to expect. One small detector.
class TestEvaluate : public QObject {
    Q_OBJECT
    std::unique_ptr<ScratchFolder> m_folder;

    Ended run(const std::vector<std::string>& arguments) { return runProgram(arguments, m_folder->path()); }
    Ended score(const std::string& results, const std::vector<std::string>& more = {}) {
        std::vector<std::string> arguments = {"evaluate", "--results", results, "--data", "coco:coco/annotations.json"};
        arguments.insert(arguments.end(), more.begin(), more.end());
        return run(arguments);
    }

private Q_SLOTS:
    /// Perfect results of the annotations, and the same under a category that is none.
    void initTestCase() {
        m_folder = std::make_unique<ScratchFolder>();
        makeCoco(*m_folder / "coco");
        json perfect = json::array();
        const json annotations = json::parse(readText(*m_folder / "coco/annotations.json"));
        for (const auto& object : annotations.at("annotations"))
            perfect.push_back({{"image_id", object.at("image_id")},
                               {"category_id", object.at("category_id")},
                               {"bbox", object.at("bbox")},
                               {"score", 0.9}});
        writeText(*m_folder / "perfect.json", perfect.dump());
        json proposals = perfect;
        for (json& one : proposals)
            one.erase("category_id");
        writeText(*m_folder / "proposals.json", proposals.dump());
        perfect.push_back(perfect.back());
        perfect.back()["category_id"] = 99;
        writeText(*m_folder / "strange.json", perfect.dump());
        const auto retinanet = makeRetinaNetConfig(m_folder->path(), *m_folder / "coco");
        VERIFY_CODE(run({"train", retinanet.string(), "--name", "boxes"}), 0);
    }

    void writesCurvesAndConfusion() {
        VERIFY_CODE(score("perfect.json", {"--curves", "c.json", "--confusion", "m.json"}), 0);
        VERIFY_CODE(score("perfect.json", {"--curves", "c.csv", "--confusion", "m.csv"}), 0);
        VERIFY_CODE(score("perfect.json", {"--curves", "c.csv", "--confusion", "m.json"}), 0); // its own are replaced
        const json curves = json::parse(readText(*m_folder / "c.json")).at("curves");
        QCOMPARE(curves.size() % 10, std::size_t(0)); // ten overlaps of each class
        for (const json& curve : curves)
            QVERIFY(curve.at("objects") == 0 ? curve.at("ap").is_null()
                                             : qAbs(curve.at("ap").get<double>() - 1) < 1e-12);
        const std::string table = readText(*m_folder / "c.csv");
        QVERIFY(table.starts_with("type,class,iou,recall,precision,score\nbbox,"));
        const json matrix = json::parse(readText(*m_folder / "m.json"));
        for (std::size_t row = 0; row < matrix.at("counts").size(); ++row)
            for (std::size_t column = 0; column < matrix.at("counts").size(); ++column)
                if (row != column)
                    QCOMPARE(matrix.at("counts")[row][column], json(0)); // nothing is taken for anything else
    }

    void namesCategoriesThatAreUnknown() {
        const Ended ended = score("strange.json", {"--json"});
        VERIFY_CODE(ended, 0);
        QVERIFY2(ended.err.find("no category 99") != std::string::npos, ended.err.c_str());
        QVERIFY(onlyLine(ended).at("warnings").at(0).get<std::string>().find("1 of 15 results") != std::string::npos);
        QVERIFY(!onlyLine(score("perfect.json", {"--json"})).contains("warnings"));
    }

    void saysWhereThereIsNothingToMeasure() {
        const json scored = onlyLine(score("perfect.json", {"--json"}));
        QVERIFY(scored.at("metrics").at("bbox/APl").is_null()); // no picture has room for 96 by 96
        const Ended table = score("perfect.json");
        QVERIFY2(table.out.find("n/a") != std::string::npos && table.out.find("-1.000") == std::string::npos,
                 table.out.c_str());
    }

    void scoresProposals() {
        const json scored = onlyLine(score("proposals.json", {"--type", "proposals", "--json"}));
        QCOMPARE(scored.at("metrics").at("proposals/AR100").get<double>(), 1.0);
    }

    void failsWhereTheResultIsNotAsExpected() {
        const Ended met = score("perfect.json", {"--set", "evaluate.expected={bbox/AP: 0.95}", "--json"});
        VERIFY_CODE(met, 0); // 0.05 less than 0.005 + 0.1 × 0.95
        QCOMPARE(onlyLine(met).at("expected").at(0).at("met"), json(true));
        const Ended unmet = score("perfect.json", {"--set", "evaluate.expected={bbox/AP: 0.5}", "--json"});
        VERIFY_CODE(unmet, 1);
        QVERIFY2(unmet.err.find("bbox/AP is 1.0000, not 0.5") != std::string::npos, unmet.err.c_str());
        QCOMPARE(onlyLine(unmet).at("expected").at(0).at("met"), json(false)); // it is said and written all the same
        VERIFY_CODE(score("perfect.json", {"--set", "evaluate.expected={bbox/AP: 0.99 ± 0.001}"}), 1);
        VERIFY_CODE(score("perfect.json", {"--set", "evaluate.expected={bbox/AP: 0.998 ± 0.001}"}), 0);
    }

    /// A part of the training set that was set aside is the run's validation data, later too, by the stored ids.
    void whatWasSetAsideIsTheRunsValidationData() {
        const Ended trained = run({"train", "retinanet.yaml", "--name", "aside", "--json", "data.validation=[]",
                                   "data.split.validation_share=0.3", "solve.iterations=4"});
        VERIFY_CODE(trained, 0);
        json metrics;
        std::string folder;
        for (const json& line : trained.lines()) {
            if (line.at("event") == "run")
                folder = line.at("folder").get<std::string>();
            if (line.at("event") == "evaluation")
                metrics = line.at("metrics");
        }
        const json record = json::parse(readText(std::filesystem::path(folder) / "data.json"));
        const auto aside = record.at("split").at(0).size();
        QVERIFY(aside > 0 && aside < 10);
        const Ended ended = run({"evaluate", "aside@4", "--json"});
        VERIFY_CODE(ended, 0);
        QCOMPARE(onlyLine(ended).at("samples"), json(aside));
        QCOMPARE(onlyLine(ended).at("metrics"), metrics);
        const Ended named = run({"evaluate", "aside@4", "--data", "coco:coco/annotations.json", "--json"});
        QCOMPARE(onlyLine(named).at("samples"), json(10));
    }

    void aTrainingIsHeldAgainstWhatIsExpected() {
        const Ended ended = run({"train", "retinanet.yaml", "--name", "unmet", "evaluate.expected={bbox/AP: 0.9}",
                                 "solve.iterations=2", "train.checkpoint_every=0"});
        VERIFY_CODE(ended, 1);
        QVERIFY2(ended.err.find("not as expected: bbox/AP is") != std::string::npos, ended.err.c_str());
        QCOMPARE(onlyLine(run({"runs", "show", "unmet", "--json"})).at("status"), json("finished"));
    }

    void looksAtImagesInSeveralViews() {
        const auto metricsOf = [&](std::vector<std::string> more) {
            std::vector<std::string> arguments = {"evaluate", "boxes", "--json", "--set",
                                                  "model.retinanet.score_threshold=0.0"};
            for (const std::string& one : more)
                arguments.insert(arguments.end(), {"--set", one});
            return onlyLine(run(arguments));
        };
        const json plain = metricsOf({}), flipped = metricsOf({"evaluate.augment.boxes.flip=true"});
        QCOMPARE(flipped.at("samples"), plain.at("samples"));
        QVERIFY(flipped.at("metrics").at("bbox/AR100").get<double>() >= 0);
        const std::string image = (*m_folder / "coco/images/picture0.png").string();
        const auto predicted = [&](const std::string& flip) {
            return onlyLine(run({"predict", "boxes", image, "--set", "model.retinanet.score_threshold=0.0", "--set",
                                 "evaluate.augment.boxes.flip=" + flip}))
                .at("detections");
        };
        QVERIFY(predicted("true") != predicted("false"));
    }
};

QTEST_GUILESS_MAIN(TestEvaluate)
#include "tst_Evaluate.moc"
