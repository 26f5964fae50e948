#include "core/evaluate/CocoResults.h"
#include "core/evaluate/PrecisionCurve.h"
#include "tests/support/TestData.h"

#include "core/base/InputFile.h"

#include <nlohmann/json.hpp>

using namespace trainyard;

namespace {

NamedCurve curve() {
    return {"bbox", "white, \"small\"", 0.5, 3, {{0, 1}, {1, 0.25}, {0.9, 0.5}, 0.625}};
}

} // namespace

class tst_PrecisionCurve : public QObject {
    Q_OBJECT
private Q_SLOTS:
    // Expected: pycocotools, stored with tests/data/evaluate/make_proposals_reference.py.
    void agreesWithTheCocoApi() {
        const auto score = scoreCocoResults(testing::testData("evaluate/bbox_results.json"),
                                            testing::testData("evaluate/bbox_truth.json"), CocoType::Boxes);
        VERIFY_RESULT(score);
        const auto text = readFile(testing::testData("evaluate/bbox_curves.json"));
        VERIFY_RESULT(text);
        const auto curves = score->evaluation.curves();
        const auto expected = nlohmann::json::parse(*text);
        QCOMPARE(expected.size(), std::size_t(6)); // three classes at two overlaps
        for (std::size_t i = 0; i < expected.size(); ++i) {
            const std::size_t label = i / 2, threshold = i % 2 * 5;
            const NamedCurve& own = curves.at(label * 10 + threshold);
            QCOMPARE(own.iou, i % 2 ? 0.75 : 0.5);
            QVERIFY(std::abs(own.curve.averagePrecision - expected[i]["ap"].get<double>()) < 1e-12);
            QVERIFY(std::abs(score->classes[label].ap - expected[i]["class_ap"].get<double>()) < 1e-12);
            const bool isEmpty = expected[i]["ap"] == -1;
            QCOMPARE(own.curve.precision.size(), std::size_t(isEmpty ? 0 : 101));
            for (std::size_t r = 0; r < own.curve.precision.size(); ++r) {
                QVERIFY(std::abs(own.curve.precision[r] - expected[i]["precision"][r].get<double>()) < 1e-8);
                QVERIFY(std::abs(own.curve.score[r] - expected[i]["score"][r].get<double>()) < 1e-12);
            }
        }
    }

    void isWrittenAsJson() {
        const auto json = nlohmann::json::parse(curvesAsJson({curve(), {"voc", "b", 0.5, 0, {}}}));
        QCOMPARE(json["curves"][0]["class"].get<std::string>(), std::string("white, \"small\""));
        QCOMPARE(json["curves"][0]["ap"].get<double>(), 0.625);
        QVERIFY(json["curves"][0]["precision"] == (std::vector<double>{1, 0.25}));
        QVERIFY(json["curves"][1]["ap"].is_null()); // no object: there is nothing to measure
    }

    void isWrittenAsCsv() {
        QCOMPARE(curvesAsCsv({curve()}), std::string("type,class,iou,recall,precision,score\n"
                                                     "bbox,\"white, \"\"small\"\"\",0.5,0,1,0.9\n"
                                                     "bbox,\"white, \"\"small\"\"\",0.5,1,0.25,0.5\n"));
    }
};

QTEST_GUILESS_MAIN(tst_PrecisionCurve)
#include "tst_PrecisionCurve.moc"
