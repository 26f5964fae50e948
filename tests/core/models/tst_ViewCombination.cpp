#include "core/models/detection/MapAverage.h"
#include "core/models/detection/ViewCombination.h"
#include "core/telemetry/RunLength.h"
#include "tests/support/TestData.h"

#include <torch/nn/module.h>

#include <cmath>

using namespace trainyard;

namespace {

constexpr int kSide = 64, kStep = 8;

/// A detector that is no network but a fixed, lopsided function of the pixels: a box at every eighth pixel, of a score
/// and a shape that some random convolutions give. Its masks and heat maps are the pixels under a box, seen through
/// others.
class LopsidedDetector final : public DetectorStages {
public:
    LopsidedDetector() {
        at::manual_seed(7);
        m_boxes = at::randn({3, 1, 5, 5});
        m_masks = at::randn({1, 1, 5, 5});
        m_points = at::randn({17, 1, 5, 5});
    }

    SuppressionRules suppression() const override { return m_rules; }
    SuppressionRules m_rules{0.5, 20, {}, {}};

    std::vector<std::vector<Detection>> candidates(const Batch& batch) override {
        std::vector<std::vector<Detection>> found;
        const at::Tensor maps = at::conv2d(batch.images, m_boxes, {}, 1, 2).contiguous();
        for (std::int64_t i = 0; i < batch.size(); ++i) {
            auto& own = found.emplace_back();
            for (int y = kStep / 2; y < kSide; y += kStep)
                for (int x = kStep / 2; x < kSide; x += kStep) {
                    const auto value = [&](int channel) { return maps[i][channel][y][x].item<float>(); };
                    const float halfWidth = 4 + std::abs(value(1)), halfHeight = 4 + std::abs(value(2));
                    Detection one;
                    one.score = 1 / (1 + std::exp(-value(0)));
                    one.box = {x - halfWidth, y - halfHeight, x + halfWidth, y + halfHeight};
                    if (one.score > 0.6F)
                        own.push_back(one);
                }
        }
        return found;
    }

    std::vector<RegionMaps> regionMaps(const Batch& batch, const std::vector<std::vector<Detection>>& boxes) override {
        std::vector<RegionMaps> all;
        for (std::size_t i = 0; i < boxes.size(); ++i) {
            const at::Tensor image = batch.images.slice(0, std::int64_t(i), std::int64_t(i) + 1);
            RegionMaps maps{at::empty({std::int64_t(boxes[i].size()), 8, 8}),
                            at::empty({std::int64_t(boxes[i].size()), 17, 8, 8})};
            for (std::size_t k = 0; k < boxes[i].size(); ++k) {
                const at::Tensor part = under(boxes[i][k].box, image);
                maps.masks[std::int64_t(k)].copy_(at::sigmoid(at::conv2d(part, m_masks, {}, 1, 2))[0][0]);
                maps.keypoints[std::int64_t(k)].copy_(at::conv2d(part, m_points, {}, 1, 2)[0]);
            }
            all.push_back(maps);
        }
        return all;
    }

private:
    /// The pixels under a box at 8 × 8 places, [1, 1, 8, 8].
    static at::Tensor under(const Box& box, const at::Tensor& image) {
        const at::Tensor steps = (at::arange(8) + 0.5) / 8;
        const at::Tensor x = (steps * box.width() + double(box.x1)) * 2.0 / kSide - 1;
        const at::Tensor y = (steps * box.height() + double(box.y1)) * 2.0 / kSide - 1;
        const at::Tensor grid = at::stack({x.unsqueeze(0).expand({8, 8}), y.unsqueeze(1).expand({8, 8})}, 2);
        return at::grid_sampler_2d(image, grid.unsqueeze(0), 0, 0, false);
    }

    at::Tensor m_boxes, m_masks, m_points;
};

Batch batchOf(const at::Tensor& image) {
    Batch batch;
    batch.images = image;
    SampleInfo info;
    info.width = info.height = kSide;
    batch.samples = {info};
    return batch;
}

/// What is found in an image in the given views.
std::vector<Detection> found(const at::Tensor& image, bool isFlipped, const AugmentConfig& rules = {}) {
    LopsidedDetector model;
    std::vector<View> views = {View{}};
    std::vector<Batch> batches = {batchOf(image)};
    if (isFlipped) {
        views.insert(views.begin(), View{.isMirrored = true});
        batches.insert(batches.begin(), batchOf(image.flip({3})));
    }
    return ViewCombination(rules).predict(model, views, batches).front().detections;
}

at::Tensor someImage() {
    at::manual_seed(3);
    return at::randn({1, 1, kSide, kSide});
}

/// How far the two are from being mirrored: the sum of differences of boxes and scores.
double boxDifference(const std::vector<Detection>& a, const std::vector<Detection>& b) {
    double sum = a.size() == b.size() ? 0 : 1e9;
    for (std::size_t i = 0; i < std::min(a.size(), b.size()); ++i)
        sum += std::abs(a[i].score - b[i].score) + std::abs(kSide - a[i].box.x2 - b[i].box.x1) +
               std::abs(kSide - a[i].box.x1 - b[i].box.x2) + std::abs(a[i].box.y1 - b[i].box.y1) +
               std::abs(a[i].box.y2 - b[i].box.y2);
    return sum;
}

/// Pixels that only one of them has, as a share of those that any has, after mirroring the first.
double maskDifference(const RunLengthMask& a, const RunLengthMask& b) {
    const auto left = runlength::pixels(a), right = runlength::pixels(b);
    int any = 0, one = 0;
    for (int y = 0; y < kSide; ++y)
        for (int x = 0; x < kSide; ++x) {
            const bool inA = left[std::size_t(y * kSide + kSide - 1 - x)], inB = right[std::size_t(y * kSide + x)];
            any += inA || inB;
            one += inA != inB;
        }
    return any == 0 ? 0 : double(one) / any;
}

Detection box(float score, Box where, int label = 0) {
    Detection one;
    one.label = label;
    one.score = score;
    one.box = where;
    return one;
}

} // namespace

class tst_ViewCombination : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void flippingMakesBoxesSymmetric() {
        const at::Tensor image = someImage();
        const auto plain = found(image, false), mirrored = found(image.flip({3}), false);
        QVERIFY(!plain.empty() && boxDifference(plain, mirrored) > 1); // the detector by itself is lopsided
        const auto both = found(image, true), bothMirrored = found(image.flip({3}), true);
        QVERIFY(both.size() > 5);
        QVERIFY2(boxDifference(both, bothMirrored) < 1e-2,
                 qPrintable(QString::number(boxDifference(both, bothMirrored))));
    }

    void flippingMakesMasksAndKeypointsSymmetric() {
        const at::Tensor image = someImage();
        for (const char* kind : {"mean", "max", "logit_mean"}) {
            AugmentConfig rules;
            rules.maskAverage = kind;
            rules.keypointAverage = std::string(kind) == "max" ? "max" : "mean";
            const auto a = found(image, true, rules), b = found(image.flip({3}), true, rules);
            QCOMPARE(a.size(), b.size());
            double masks = 0;
            for (std::size_t i = 0; i < a.size(); ++i) {
                QVERIFY(a[i].mask && b[i].mask);
                masks += maskDifference(*a[i].mask, *b[i].mask) / double(a.size());
                QCOMPARE(a[i].keypoints.size(), std::size_t(17));
                for (std::size_t k = 0; k < 17; ++k) { // left and right change places
                    const std::size_t other = k == 0 ? 0 : k % 2 == 1 ? k + 1 : k - 1;
                    QVERIFY(std::abs(kSide - a[i].keypoints[k].at.x - b[i].keypoints[other].at.x) < 0.01F);
                    QVERIFY(std::abs(a[i].keypoints[k].at.y - b[i].keypoints[other].at.y) < 0.01F);
                }
            }
            QVERIFY2(masks < 0.25, qPrintable(QString::number(masks))); // boxes are cut to whole pixels from the left
        }
    }

    // By hand: the union has a box twice (the better one stays), and one that only a view has seen.
    void boxesOfAllViewsAreSuppressedOnce() {
        const auto kept = suppressed({box(0.6F, {0, 0, 10, 10}), box(0.9F, {0, 0, 10, 9}), box(0.5F, {30, 0, 40, 10}),
                                      box(0.4F, {0, 0, 10, 10}, 1)},
                                     {0.5, 10, {}, {}});
        QCOMPARE(kept.size(), std::size_t(3));
        QCOMPARE(kept[0].score, 0.9F);
        QCOMPARE(kept[1].box, (Box{30, 0, 40, 10}));
        QCOMPARE(kept[2].label, 1); // another class is another object
        QCOMPARE(suppressed({box(0.6F, {0, 0, 1, 1}), box(0.5F, {5, 5, 6, 6})}, {0.5, 1, {}, {}}).size(),
                 std::size_t(1));
        QVERIFY(suppressed({}, {}).empty());
    }

    // By hand: overlap 0.9, so the second score becomes 0.6 × (1 - 0.9), above the floor of 0.0001.
    void scoresSinkWhereThatIsAskedFor() {
        SuppressionRules rules{0.3, 10, SoftNmsRules{.maxOverlap = 0.3}, {}};
        const auto kept = suppressed({box(0.9F, {0, 0, 10, 10}), box(0.6F, {0, 0, 10, 9})}, rules);
        QCOMPARE(kept.size(), std::size_t(2));
        QVERIFY(std::abs(kept[1].score - 0.06F) < 1e-6F);
    }

    // By hand: the lower edge becomes (0.9 × 10 + 0.6 × 9) / 1.5 = 9.6.
    void suppressedBoxesVote() {
        SuppressionRules rules{0.5, 10, {}, BoxVotingRules{}};
        const auto kept = suppressed({box(0.9F, {0, 0, 10, 10}), box(0.6F, {0, 0, 10, 9})}, rules);
        QCOMPARE(kept.size(), std::size_t(1));
        QVERIFY(std::abs(kept[0].box.y2 - 9.6F) < 1e-5F);
        QCOMPARE(kept[0].score, 0.9F);
    }

    // Expected by hand; the mean of the logits of 0.2 and 0.9 is (-1.386294 + 2.197225) / 2 = 0.405465, whose sigmoid
    // is 0.6.
    void mapsAreAveraged_data() {
        QTest::addColumn<QString>("kind");
        QTest::addColumn<double>("expected");
        QTest::newRow("mean") << "mean" << 0.55;
        QTest::newRow("max") << "max" << 0.9;
        QTest::newRow("mean of logits") << "logit_mean" << 0.6;
    }
    void mapsAreAveraged() {
        QFETCH(QString, kind);
        QFETCH(double, expected);
        MapAverage average(kind.toStdString());
        const at::Tensor used = at::tensor({1, 1}).to(at::kBool), first = at::tensor({1, 0}).to(at::kBool);
        QVERIFY(average.isEmpty());
        average.add(at::full({2, 3, 3}, 0.2), used);
        average.add(at::full({2, 3, 3}, 0.9), first); // of the first region only
        const at::Tensor value = average.value();
        QVERIFY(std::abs(value[0][1][1].item<double>() - expected) < 1e-6);
        QVERIFY(std::abs(value[1][1][1].item<double>() - 0.2) < 1e-6);
    }

    void certainMapsStayCertain() {
        MapAverage average("logit_mean");
        average.add(at::tensor({0.0F, 1.0F}).reshape({1, 2}), at::ones({1}, at::kBool));
        average.add(at::tensor({0.0F, 1.0F}).reshape({1, 2}), at::ones({1}, at::kBool));
        QVERIFY(average.value()[0][0].item<double>() < 1e-6 && average.value()[0][1].item<double>() > 1 - 1e-6);
    }

    // Heat maps that say which view they come from: the peak of a reduced view lies left, of the plain one in the
    // middle, of an enlarged one right. A small object must not hear the first, nor a large one the last.
    void smallObjectsIgnoreReducedViews_data() {
        QTest::addColumn<float>("side");
        QTest::addColumn<bool>("bySize");
        QTest::addColumn<double>("least");
        QTest::addColumn<double>("most");
        QTest::newRow("small") << 16.0F << true << 0.5 << 1.0;
        QTest::newRow("large") << 48.0F << true << 0.0 << 0.5;
    }
    void smallObjectsIgnoreReducedViews() {
        QFETCH(float, side);
        QFETCH(bool, bySize);
        QFETCH(double, least);
        QFETCH(double, most);
        struct Telling final : DetectorStages {
            float side;
            explicit Telling(float s) : side(s) {}
            SuppressionRules suppression() const override { return {}; }
            std::vector<std::vector<Detection>> candidates(const Batch&) override {
                return {{box(0.9F, {0, 0, side, side})}};
            }
            std::vector<RegionMaps> regionMaps(const Batch& batch,
                                               const std::vector<std::vector<Detection>>&) override {
                RegionMaps maps{{}, at::zeros({1, 1, 8, 8})};
                const int place = batch.images.item<int>();              // the pixel says which view it is
                maps.keypoints[0][0][4][place] = place == 4 ? 1.0 : 3.0; // extreme views are surer
                return {maps};
            }
        } model(side);
        std::vector<View> views;
        std::vector<Batch> batches;
        for (const auto& [enlargement, place] : {std::pair(0.5, 1), {2.0, 6}, {1.0, 4}}) {
            views.push_back({false, enlargement, true, true, true});
            batches.push_back(batchOf(at::tensor(place)));
        }
        AugmentConfig rules;
        rules.keypointsBySize = bySize;
        rules.smallArea = 1000;
        const auto prediction = ViewCombination(rules).predict(model, views, batches).front();
        const double x = prediction.detections.front().keypoints.front().at.x / side;
        QVERIFY2(x > least && x < most, qPrintable(QString::number(x)));
    }
};

QTEST_GUILESS_MAIN(tst_ViewCombination)
#include "tst_ViewCombination.moc"
