#include "core/evaluate/VocEvaluation.h"
#include "tests/support/TestData.h"

#include <fstream>

using namespace trainyard;

Q_DECLARE_METATYPE(trainyard::VocRule)

namespace {

/// One image of the reference case: "object x y width height", corners inclusive as VOC counts them.
SampleInfo truthOf(const std::filesystem::path& file) {
    SampleInfo info;
    info.imageId = std::stoll(file.stem());
    std::ifstream lines(file);
    std::string name;
    for (float x, y, w, h; lines >> name >> x >> y >> w >> h;) {
        ObjectAnnotation object;
        object.box = {x, y, x + w + 1, y + h + 1};
        info.objects.push_back(object);
    }
    return info;
}

std::vector<Detection> detectionsOf(const std::filesystem::path& file) {
    std::vector<Detection> found;
    std::ifstream lines(file);
    std::string name;
    for (float score, x, y, w, h; lines >> name >> score >> x >> y >> w >> h;) {
        Detection detection;
        detection.score = score;
        detection.box = {x, y, x + w + 1, y + h + 1};
        found.push_back(detection);
    }
    return found;
}

ObjectAnnotation object(Box box, bool isDifficult = false) {
    ObjectAnnotation annotation;
    annotation.box = box;
    annotation.isDifficult = isDifficult;
    return annotation;
}

Detection detection(float score, Box box) {
    Detection found;
    found.score = score;
    found.box = box;
    return found;
}

constexpr Box kBox{0, 0, 10, 10}, kOther{20, 20, 30, 30}, kAir{50, 50, 60, 60};

} // namespace

class tst_VocEvaluation : public QObject {
    Q_OBJECT
private Q_SLOTS:
    // Expected: Padilla et al., review_object_detection_metrics, test case 1.
    void agreesWithPublishedNumbers_data() {
        QTest::addColumn<VocRule>("rule");
        QTest::addColumn<double>("iou");
        QTest::addColumn<double>("expected");
        QTest::newRow("11 points, 0.10") << VocRule::ElevenPoints << 0.1 << 0.3333333333;
        QTest::newRow("11 points, 0.30") << VocRule::ElevenPoints << 0.3 << 0.2683982683;
        QTest::newRow("11 points, 0.50") << VocRule::ElevenPoints << 0.5 << 0.0303030303;
        QTest::newRow("11 points, 0.75") << VocRule::ElevenPoints << 0.75 << 0.0;
        QTest::newRow("all points, 0.10") << VocRule::AllPoints << 0.1 << 0.3371980676;
        QTest::newRow("all points, 0.30") << VocRule::AllPoints << 0.3 << 0.2456866804;
        QTest::newRow("all points, 0.50") << VocRule::AllPoints << 0.5 << 0.0222222222;
        QTest::newRow("all points, 0.75") << VocRule::AllPoints << 0.75 << 0.0;
    }
    void agreesWithPublishedNumbers() {
        QFETCH(VocRule, rule);
        QFETCH(double, iou);
        QFETCH(double, expected);
        NEED_SHARED_DATA(folder, "eval_reference");
        const auto cases = folder / "voc_and_coco_padilla/tests/test_case_1";
        VocEvaluation evaluation({"object"}, rule, iou);
        int images = 0;
        for (const auto& entry : std::filesystem::directory_iterator(cases / "gts")) {
            evaluation.add(truthOf(entry.path()), detectionsOf(cases / "dets" / entry.path().filename()));
            ++images;
        }
        QCOMPARE(images, 7);
        QVERIFY(std::abs(evaluation.metrics()[0].second - expected) < 1e-9);
    }

    // Right, wrong, right of two objects: the envelope is 1 up to recall 0.5 and 2/3 from there on.
    void takesTheAreaUnderTheEnvelope() {
        for (const auto rule : {VocRule::AllPoints, VocRule::ElevenPoints}) {
            VocEvaluation evaluation({"cell"}, rule);
            SampleInfo info;
            info.objects = {object(kBox), object(kOther)};
            evaluation.add(info, {detection(0.9f, kBox), detection(0.8f, kAir), detection(0.7f, kOther)});
            const double expected = rule == VocRule::AllPoints ? 0.5 + 0.5 * 2 / 3 : (6 + 5 * 2.0 / 3) / 11;
            QCOMPARE(evaluation.metrics()[0].first, std::string("voc/AP50"));
            QVERIFY(std::abs(evaluation.metrics()[0].second - expected) < 1e-12);
            QCOMPARE(evaluation.curve(0).recall.size(), std::size_t(3));
        }
    }

    void difficultObjectsNeitherCountNorHarm() {
        VocEvaluation evaluation({"cell"});
        SampleInfo info;
        info.objects = {object(kBox), object(kOther, true)};
        evaluation.add(info, {detection(0.9f, kOther), detection(0.8f, kBox)});
        QCOMPARE(evaluation.metrics()[0].second, 1.0);
        QCOMPARE(evaluation.classScores()[0].objects, std::int64_t(1));
    }

    void secondDetectionOfAnObjectIsWrong() {
        VocEvaluation evaluation({"cell"});
        SampleInfo info;
        info.objects = {object(kBox), object(kOther)};
        evaluation.add(info, {detection(0.9f, kBox), detection(0.8f, kBox)});
        QCOMPARE(evaluation.metrics()[0].second, 0.5);
    }

    void nothingFoundIsZeroAndNothingToFindIsNoScore() {
        VocEvaluation evaluation({"cell", "unseen"});
        QCOMPARE(evaluation.metrics()[0].second, -1.0);
        SampleInfo info;
        info.objects = {object(kBox)};
        evaluation.add(info, {});
        QCOMPARE(evaluation.metrics()[0].second, 0.0);
        QCOMPARE(evaluation.classScores()[1].ap, -1.0);
    }
};

QTEST_GUILESS_MAIN(tst_VocEvaluation)
#include "tst_VocEvaluation.moc"
