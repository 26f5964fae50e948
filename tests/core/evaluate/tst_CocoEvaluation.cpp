#include "core/evaluate/CocoEvaluation.h"
#include "tests/support/TestData.h"

#include <algorithm>

using namespace trainyard;

namespace {

ObjectAnnotation object(int label, Box box) {
    ObjectAnnotation annotation;
    annotation.label = label;
    annotation.box = box;
    annotation.area = box.area();
    return annotation;
}

SampleInfo image(std::int64_t id, std::vector<ObjectAnnotation> objects) {
    SampleInfo info;
    info.imageId = id;
    info.width = info.height = 200;
    info.objects = std::move(objects);
    return info;
}

Detection detection(int label, float score, Box box) {
    Detection found;
    found.label = label;
    found.score = score;
    found.box = box;
    return found;
}

double metric(const Metrics& metrics, const std::string& name) {
    for (const auto& [key, value] : metrics)
        if (key == name)
            return value;
    return -99;
}

constexpr Box kSmallBox{10, 10, 20, 30}, kMediumBox{0, 0, 50, 50}, kLargeBox{50, 50, 170, 190};

} // namespace

class tst_CocoEvaluation : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void perfectDetectionsScoreOne() {
        CocoEvaluation evaluation(CocoType::Boxes, {"cell", "cat", "never seen"});
        evaluation.add(image(1, {object(0, kSmallBox), object(1, kMediumBox)}),
                       {detection(0, 0.9f, kSmallBox), detection(1, 0.3f, kMediumBox)});
        evaluation.add(image(2, {object(0, kLargeBox)}), {detection(0, 0.8f, kLargeBox)});
        for (const auto& [name, value] : evaluation.metrics())
            if (name != "bbox/AR1") // one detection an image and class suffices here too
                QVERIFY2(std::abs(value - 1) < 1e-12, name.c_str());
        QCOMPARE(evaluation.metrics().size(), std::size_t(12));
        const auto scores = evaluation.classScores();
        QCOMPARE(scores.size(), std::size_t(3));
        QCOMPARE(scores[0].objects, std::int64_t(2));
        QVERIFY(std::abs(scores[1].ap - 1) < 1e-12);
        QCOMPARE(scores[2].ap, -1.0);
    }

    void noDetectionsScoreZero() {
        CocoEvaluation evaluation(CocoType::Boxes, {"cell"});
        evaluation.add(image(1, {object(0, kMediumBox)}), {});
        QCOMPARE(metric(evaluation.metrics(), "bbox/AP"), 0.0);
        QCOMPARE(metric(evaluation.metrics(), "bbox/AR100"), 0.0);
        QCOMPARE(metric(evaluation.metrics(), "bbox/APs"), -1.0); // no small object: nothing to measure
    }

    void nothingToFindIsNoScore() {
        CocoEvaluation nothing(CocoType::Boxes, {"cell"});
        QCOMPARE(metric(nothing.metrics(), "bbox/AP"), -1.0);
        CocoEvaluation evaluation(CocoType::Boxes, {"cell"});
        evaluation.add(image(1, {}), {detection(0, 0.9f, kMediumBox)});
        QCOMPARE(metric(evaluation.metrics(), "bbox/AP"), -1.0);
        QVERIFY(evaluation.curve(0, 0).recall.empty());
    }

    // Two objects; found: one right (0.9), one in the air (0.8), the other right (0.7). Precision over recall by hand:
    // 1 up to recall 0.5 (51 of 101 points), then 2/3 (50 points).
    void samplesPrecisionAtTheRecallsOfCoco() {
        CocoEvaluation evaluation(CocoType::Boxes, {"cell"});
        evaluation.add(
            image(1, {object(0, kMediumBox), object(0, kLargeBox)}),
            {detection(0, 0.9f, kMediumBox), detection(0, 0.8f, {0, 150, 40, 190}), detection(0, 0.7f, kLargeBox)});
        const double expected = (51 + 50 * 2.0 / 3) / 101;
        QVERIFY(std::abs(metric(evaluation.metrics(), "bbox/AP50") - expected) < 1e-12);
        const auto curve = evaluation.curve(0, 0);
        QCOMPARE(curve.recall.size(), std::size_t(101));
        QVERIFY(std::abs(curve.precision[50] - 1) < 1e-12 && std::abs(curve.precision[51] - 2.0 / 3) < 1e-12);
        QVERIFY(std::abs(curve.score[51] - 0.7) < 1e-6);
        QVERIFY(std::abs(curve.averagePrecision - expected) < 1e-12);
        QCOMPARE(metric(evaluation.metrics(), "bbox/AR1"), 0.5);
    }

    // Overlap 50*40/(50*50) = 0.8: right at 0.50 … 0.80, which is seven thresholds of ten.
    void countsEachThresholdByItself() {
        CocoEvaluation evaluation(CocoType::Boxes, {"cell"});
        evaluation.add(image(1, {object(0, kMediumBox)}), {detection(0, 0.9f, {0, 0, 50, 40.01f})});
        QVERIFY(std::abs(metric(evaluation.metrics(), "bbox/AP") - 0.7) < 1e-12);
        QCOMPARE(metric(evaluation.metrics(), "bbox/AP75"), 1.0);
    }

    void crowdsIgnoreWhatLiesInThem() {
        auto crowd = object(0, kLargeBox);
        crowd.isCrowd = true;
        CocoEvaluation evaluation(CocoType::Boxes, {"cell"});
        evaluation.add(image(1, {object(0, kMediumBox), crowd}),
                       {detection(0, 0.95f, {60, 60, 80, 80}), detection(0, 0.9f, {90, 90, 120, 120}),
                        detection(0, 0.8f, kMediumBox)});
        QVERIFY(std::abs(metric(evaluation.metrics(), "bbox/AP") - 1) < 1e-12);
        QCOMPARE(evaluation.classScores()[0].objects, std::int64_t(1));
    }

    void secondDetectionOfAnObjectIsWrong() {
        CocoEvaluation evaluation(CocoType::Boxes, {"cell"});
        evaluation.add(image(1, {object(0, kMediumBox)}),
                       {detection(0, 0.5f, kMediumBox), detection(0, 0.9f, {0, 0, 50, 40.01f})});
        // At 0.50 the better-scored one takes the object; at 0.85 and above only the exact one does, after a wrong one.
        QCOMPARE(metric(evaluation.metrics(), "bbox/AP50"), 1.0);
        QVERIFY(std::abs(metric(evaluation.metrics(), "bbox/AP") - (7 + 3 * 0.5) / 10) < 1e-12);
    }

    void orderOfImagesDoesNotMatter() {
        std::vector<std::pair<SampleInfo, std::vector<Detection>>> images;
        for (int id = 1; id <= 6; ++id)
            images.push_back({image(id, {object(0, kMediumBox)}),
                              {detection(0, 0.5f, id % 2 ? kMediumBox : Box{100, 100, 150, 150})}});
        CocoEvaluation forwards(CocoType::Boxes, {"cell"}), backwards(CocoType::Boxes, {"cell"});
        for (const auto& [info, found] : images)
            forwards.add(info, found);
        std::reverse(images.begin(), images.end());
        for (const auto& [info, found] : images)
            backwards.add(info, found);
        QVERIFY(forwards.metrics() == backwards.metrics());
    }

    void scoresThatAreNoNumbersComeLast() {
        CocoEvaluation evaluation(CocoType::Boxes, {"cell"});
        evaluation.add(image(1, {object(0, kMediumBox)}),
                       {detection(0, std::nanf(""), {100, 100, 150, 150}), detection(0, 0.1f, kMediumBox)});
        QCOMPARE(metric(evaluation.metrics(), "bbox/AP50"), 1.0);
    }

    void polygonsAndMasksMeet() {
        auto square = object(0, kMediumBox);
        square.polygons = {{{0, 0}, {0, 50}, {50, 50}, {50, 0}}};
        auto found = detection(0, 0.9f, kMediumBox);
        found.mask = RunLengthMask{200, 200, {0}};
        for (int x = 0; x < 50; ++x) { // 50 of each of the first 50 columns
            found.mask->counts.push_back(50);
            found.mask->counts.push_back(150);
        }
        found.mask->counts.back() += 150 * 200;
        CocoEvaluation evaluation(CocoType::Masks, {"cell"});
        evaluation.add(image(1, {square}), {found});
        QVERIFY(std::abs(metric(evaluation.metrics(), "segm/AP") - 1) < 1e-12);
    }
};

QTEST_GUILESS_MAIN(tst_CocoEvaluation)
#include "tst_CocoEvaluation.moc"
