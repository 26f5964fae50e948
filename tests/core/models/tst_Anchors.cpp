#include "core/models/detection/AnchorGrid.h"
#include "core/models/detection/AnchorMatcher.h"
#include "core/models/detection/AnchorTargets.h"
#include "core/models/detection/PostProcess.h"
#include "core/nn/FocalLoss.h"
#include "tests/core/models/Reference.h"

using namespace trainyard;
using namespace trainyard::testing;

namespace {

double logit(double score) {
    return std::log(score / (1 - score));
}

/// Three anchors of one level, two classes, boxes as the anchors stand.
AnchorScores threeAnchors() {
    AnchorScores scores;
    scores.anchors = torch::tensor({{0.F, 0.F, 10.F, 10.F}, {1.F, 0.F, 11.F, 10.F}, {30.F, 30.F, 50.F, 60.F}});
    scores.offsets = torch::zeros({3, 4});
    scores.rowsALevel = {3};
    scores.logits = torch::tensor({{float(logit(0.9)), float(logit(0.2))},
                                   {float(logit(0.8)), float(logit(0.6))},
                                   {float(logit(0.04)), float(logit(0.7))}});
    return scores;
}

} // namespace

class tst_Anchors : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void anchorsAreTorchvisions() {
        RetinaNetConfig config;
        config.anchorSizes = {10, 20, 40, 80, 120};
        AnchorGrid grid(config);
        const std::vector<AnchorGrid::Size> levels = {{16, 16}, {8, 8}, {4, 4}, {2, 2}, {1, 1}};
        const auto expected = reference("retinanet.json")[0]["anchors"];
        const auto anchors = grid.anchors({128, 128}, levels, torch::kCPU);
        QCOMPARE(anchors.size(0), expected["count"].get<std::int64_t>());
        const auto some = anchors.slice(0, 0, anchors.size(0), 501);
        QVERIFY(isEqual(some.to(torch::kDouble), tensorOf(expected["every_501st"], some.sizes())));
    }

    // At 320 pixels P7 has 3 rows: 320 / 3 in whole pixels.
    void stepsAreWholePixels() {
        AnchorGrid grid(RetinaNetConfig{});
        const auto anchors = grid.anchors({320, 320}, {{40, 40}, {20, 20}, {10, 10}, {5, 5}, {3, 3}}, torch::kCPU);
        const auto last = anchors[-1];
        QCOMPARE((last[0] + last[2]).item<double>() / 2, 212.0);
        QCOMPARE(grid.anchorsAPlace(), 9);
    }

    // 4 × 0.5 pixels are 2, whose half is 1; 1 × 1 would round to nothing and keeps its half pixels.
    void tinyAnchorsKeepAnArea() {
        RetinaNetConfig config;
        config.anchorSizes = {4, 1};
        config.anchorScales = {0.5, 1.0};
        config.aspectRatios = {1.0};
        AnchorGrid grid(config);
        const auto anchors = grid.anchors({2, 2}, {{1, 1}, {1, 1}}, torch::kCPU);
        const auto widths = anchors.select(1, 2) - anchors.select(1, 0);
        QVERIFY(isEqual(widths, torch::tensor({2.F, 4.F, 0.5F, 1.F})));
    }

    // By hand: four anchors, two boxes, thresholds 0.5 and 0.4.
    void matchesByOverlapAndTakesTheBestOfEachBox() {
        const auto anchors = torch::tensor({{0.F, 0.F, 10.F, 10.F},     // 1 with the first box
                                            {0.F, 0.F, 10.F, 22.F},     // 100 / 220: between
                                            {20.F, 20.F, 24.F, 30.F},   // 40 / 400 with the second: its best
                                            {50.F, 50.F, 60.F, 60.F}}); // none
        const float boxes[] = {0, 0, 10, 10, 20, 20, 40, 40};
        const bool isCrowd[] = {false, false};
        const std::vector<std::int64_t> expected = {0, AnchorMatcher::kBetween, 1, AnchorMatcher::kBelow};
        QCOMPARE(AnchorMatcher(anchors, {}).match(boxes, isCrowd), expected);
    }

    void ignoresAnchorsInsideACrowd() {
        const auto anchors = torch::tensor(
            {{0.F, 0.F, 10.F, 10.F}, {2.F, 2.F, 6.F, 6.F}, {15.F, 0.F, 30.F, 10.F}, {6.F, 0.F, 16.F, 10.F}});
        const float boxes[] = {0, 0, 20, 20, 0, 0, 10, 10};
        const bool isCrowd[] = {true, false};
        // the object keeps its anchor; wholly inside, a third inside, exactly its whole inside
        const std::vector<std::int64_t> expected = {1, AnchorMatcher::kBetween, AnchorMatcher::kBelow,
                                                    AnchorMatcher::kBetween};
        QCOMPARE(AnchorMatcher(anchors, {}).match(boxes, isCrowd), expected);
    }

    void boxBesideEveryAnchorClaimsNone() {
        const float boxes[] = {100, 100, 120, 120};
        const bool isCrowd[] = {false};
        const auto anchors = torch::tensor({{0.F, 0.F, 10.F, 10.F}});
        QCOMPARE(AnchorMatcher(anchors, {}).match(boxes, isCrowd), (std::vector<std::int64_t>{AnchorMatcher::kBelow}));
    }

    // By hand: the first image has one foreground anchor, the second two; the mean over both images.
    void targetsWeighEachImageByItsForeground() {
        Batch batch;
        batch.targets["boxes"] =
            torch::tensor({{0.F, 0.F, 10.F, 10.F}, {0.F, 0.F, 10.F, 10.F}, {22.F, 20.F, 32.F, 30.F}});
        batch.targets["labels"] = torch::tensor({1, 0, 2}, torch::kLong);
        batch.targets["counts"] = torch::tensor({1, 2}, torch::kLong);
        RetinaNetConfig config;
        config.classes = 3;
        const auto anchors = torch::tensor({{0.F, 0.F, 10.F, 10.F}, {20.F, 20.F, 30.F, 30.F}});
        const AnchorTargets targets = anchorTargets(batch, anchors, config);
        QVERIFY(
            isEqual(targets.labels, torch::tensor({std::int64_t(1), kBackground, std::int64_t(0), std::int64_t(2)})));
        QVERIFY(isEqual(targets.weights, torch::tensor({0.5F, 0.5F, 0.25F, 0.25F})));
        QVERIFY(isEqual(targets.foregroundRows, torch::tensor({0, 2, 3}, torch::kLong)));
        QVERIFY(largestDifference(targets.offsets[2], torch::tensor({0.2F, 0.F, 0.F, 0.F})) < 1e-6);
    }

    // By hand: the second anchor overlaps the first by 90 / 110 and goes in class 0, but is the best of class 1, where
    // the first goes for it. 0.04 is under the threshold.
    void findsObjectsWithinEachClass() {
        const auto found = findObjects(threeAnchors(), {0, 0, 40, 50}, {0.05, 0.5, 1000, 300});
        QCOMPARE(found.size(), std::size_t(3));
        const int labels[] = {0, 1, 1};
        const double scores[] = {0.9, 0.7, 0.6};
        const Box boxes[] = {{0, 0, 10, 10}, {30, 30, 40, 50}, {1, 0, 11, 10}}; // cut off at the picture
        for (std::size_t i = 0; i < 3; ++i) {
            QCOMPARE(found[i].label, labels[i]);
            QVERIFY(std::abs(found[i].score - scores[i]) < 1e-6);
            QCOMPARE(found[i].box, boxes[i]);
        }
    }

    void keepsTheBestOfEachLevelAndImage() {
        QCOMPARE(findObjects(threeAnchors(), {0, 0, 40, 50}, {0.05, 0.5, 2, 300}).size(), std::size_t(1)); // 0.9, 0.8
        QCOMPARE(findObjects(threeAnchors(), {0, 0, 40, 50}, {0.05, 0.5, 1000, 2}).size(), std::size_t(2));
        QVERIFY(findObjects(threeAnchors(), {0, 0, 40, 50}, {0.95, 0.5, 1000, 300}).empty());
    }

    void boxesComeBackInFilePixels() {
        SampleInfo sample;
        sample.width = 640;
        sample.height = 480;
        sample.scaleX = sample.scaleY = 0.5;
        sample.offsetY = 40;
        const Box box = toFilePixels({10, 60, 330, 160}, sample); // by hand: x / 0.5, (y - 40) / 0.5, cut at 640
        QCOMPARE(box, (Box{20, 40, 640, 240}));
    }
};

QTEST_GUILESS_MAIN(tst_Anchors)
#include "tst_Anchors.moc"
