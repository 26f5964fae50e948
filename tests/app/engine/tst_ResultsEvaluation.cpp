#include "app/engine/Evaluation.h"
#include "tests/core/data/Worlds.h"

using namespace trainyard;
using namespace trainyard::testing;

namespace {

std::string object(const std::string& name, int xmin, int ymin, int xmax, int ymax) {
    const auto side = [](const char* tag, int value) {
        return std::string("<") + tag + ">" + std::to_string(value) + "</" + tag + ">";
    };
    return "<object><name>" + name + "</name><bndbox>" + side("xmin", xmin) + side("ymin", ymin) + side("xmax", xmax) +
           side("ymax", ymax) + "</bndbox></object>";
}

/// Two images of VOC with three objects: a cat and a car, and a car.
void makeVoc(const std::filesystem::path& folder) {
    writePicture(folder / "JPEGImages/000001.png");
    writePicture(folder / "JPEGImages/000002.png");
    writeText(folder / "Annotations/000001.xml",
              "<annotation>" + object("cat", 1, 1, 10, 10) + object("car", 21, 1, 40, 20) + "</annotation>");
    writeText(folder / "Annotations/000002.xml", "<annotation>" + object("car", 1, 1, 20, 20) + "</annotation>");
}

} // namespace

class tst_ResultsEvaluation : public QObject {
    Q_OBJECT
private Q_SLOTS:
    /// By hand: cats are found (AP 1); of two cars one is found first, then the air (AP 0.5). The mean is 0.75.
    void scoresVocResults() {
        ScratchFolder folder;
        makeVoc(folder / "voc");
        writeText(folder / "results/comp4_det_test_cat.txt", "000001 0.9 1 1 10 10\n");
        writeText(folder / "results/comp4_det_test_car.txt", "000002 0.8 1 1 20 20\n000001 0.4 1 15 4 20\n");
        for (const auto& given : {folder / "results", folder / "results/comp4_det_test_car.txt"}) {
            const auto result = evaluateResults(given.string(), entryOf(folder / "voc"), "bbox", {});
            VERIFY_RESULT(result);
            QCOMPARE(result->report.metrics.size(), std::size_t(1));
            QCOMPARE(result->report.metrics[0].first, std::string("voc/AP50"));
            QCOMPARE(result->report.metrics[0].second, 0.75);
            QCOMPARE(result->report.samples, std::int64_t(2));
            for (const ClassScore& one : result->classes)
                QCOMPARE(one.ap50, one.name == "cat" ? 1.0 : 0.5);
            QCOMPARE(result->classes.size(), std::size_t(2));
        }
    }

    void vocResultsOfAnotherSetAreRefused() {
        ScratchFolder folder;
        makeVoc(folder / "voc");
        writeText(folder / "comp4_det_test_cat.txt", "000001 0.9 1 1 10 10\n000077 0.9 1 1 10 10\n");
        const auto file = (folder / "comp4_det_test_cat.txt").string();
        const auto report = evaluateResults(file, entryOf(folder / "voc"), "bbox", {});
        QVERIFY(!report);
        QCOMPARE(report.error().where, file);
        QCOMPARE(report.error().what,
                 std::string("The data has no image \"000077\" (1 of the results' images are not in it)."));
        QCOMPARE(exitCode(report.error().kind), 3);
    }

    void readingsThatAreNoJsonAreNamed() {
        ScratchFolder folder;
        writePicture(folder / "words/a.png");
        writeText(folder / "words/labels.txt", "a.png cat\n");
        writeText(folder / "read.jsonl", "{\"image\": \"a.png\", \"text\": \"cat\"}\n{\"image\": }\n");
        RunConfig config;
        config.model.type = "crnn";
        const auto report =
            evaluateResults((folder / "read.jsonl").string(), entryOf(folder / "words"), "bbox", config);
        QVERIFY(!report);
        QCOMPARE(report.error().where, (folder / "read.jsonl").string() + ":2:11");
    }
};

QTEST_GUILESS_MAIN(tst_ResultsEvaluation)
#include "tst_ResultsEvaluation.moc"
