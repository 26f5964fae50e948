#include "core/nn/RoiAlign.h"
#include "core/nn/RoiPool.h"
#include "core/nn/Threads.h"
#include "tests/core/models/Reference.h"

#include <ATen/detail/CUDAHooksInterface.h>

using namespace trainyard;
using namespace trainyard::testing;

namespace {

using Operator = std::function<torch::Tensor(const torch::Tensor& features, const torch::Tensor& rois)>;

nlohmann::json roiReference() {
    std::ifstream file(testData("nn/roi.json"));
    return nlohmann::json::parse(file);
}

/// The operator that makes case `name` of make_roi_reference.py.
Operator operatorOf(const std::string& name) {
    if (name == "pool")
        return [](const auto& features, const auto& rois) { return roiPool(features, rois, {3, 2, 0.25}); };
    if (name == "position_sensitive")
        return [](const auto& features, const auto& rois) {
            return positionSensitiveRoiPool(features, rois, {2, 0.25, false});
        };
    const RoiAlignShape shape{3, 2, 0.25, name[6] - '0', name[8] == '1'};
    return [shape](const auto& features, const auto& rois) { return roiAlign(features, rois, shape); };
}

/// Regions of two images of 28 × 36 pixels: inside, over every border and outside.
torch::Tensor randomRois(const std::string& name, std::int64_t count) {
    const auto u = noise(name, {count, 5});
    const auto image = (u.slice(1, 0, 1) > 0).to(torch::kDouble);
    const auto corner = 16 + 24 * u.slice(1, 1, 3), size = 14 + 14 * u.slice(1, 3, 5);
    return torch::cat({image, corner, corner + size}, 1);
}

/// A bilinear sample by its definition: nothing more than a cell outside, the border up to there.
double sampleAt(const torch::Tensor& plane, double y, double x) {
    const double height = double(plane.size(0)), width = double(plane.size(1));
    if (y < -1 || y > height || x < -1 || x > width)
        return 0;
    y = std::clamp(y, 0.0, height - 1);
    x = std::clamp(x, 0.0, width - 1);
    const auto top = std::int64_t(y), left = std::int64_t(x);
    double value = 0;
    for (const auto& [row, rowShare] : {std::pair(top, 1 - (y - top)), std::pair(top + 1, y - top)})
        for (const auto& [column, columnShare] : {std::pair(left, 1 - (x - left)), std::pair(left + 1, x - left)})
            if (rowShare * columnShare > 0)
                value += rowShare * columnShare * plane[row][column].item<double>();
    return value;
}

/// RoIAlign by its definition, Detectron's: one value at a time.
torch::Tensor bruteForceAlign(const torch::Tensor& features, const torch::Tensor& rois, const RoiAlignShape& shape) {
    auto out = torch::zeros({rois.size(0), features.size(1), shape.height, shape.width}, torch::kDouble);
    for (std::int64_t r = 0; r < rois.size(0); ++r) {
        const auto at = [&](int i) { return rois[r][i].item<double>() * (i == 0 ? 1 : shape.scale); };
        const double binWidth = std::max(at(3) - at(1), 1.0) / double(shape.width);
        const double binHeight = std::max(at(4) - at(2), 1.0) / double(shape.height);
        const auto rows = shape.samples > 0 ? shape.samples : std::int64_t(std::ceil(binHeight));
        const auto columns = shape.samples > 0 ? shape.samples : std::int64_t(std::ceil(binWidth));
        for (std::int64_t c = 0; c < features.size(1); ++c)
            for (std::int64_t bin = 0; bin < shape.height * shape.width; ++bin) {
                double sum = 0;
                for (std::int64_t i = 0; i < rows * columns; ++i)
                    sum += sampleAt(
                        features[std::int64_t(at(0))][c],
                        at(2) + binHeight * (double(bin / shape.width) + (double(i / columns) + 0.5) / double(rows)),
                        at(1) + binWidth * (double(bin % shape.width) + (double(i % columns) + 0.5) / double(columns)));
                out[r][c].view(-1)[bin] = sum / double(rows * columns);
            }
    }
    return out;
}

/// Position-sensitive pooling as Detectron's specification words it.
torch::Tensor bruteForcePositionSensitive(const torch::Tensor& features, const torch::Tensor& rois, std::int64_t k,
                                          double scale) {
    const std::int64_t classes = features.size(1) / (k * k);
    auto out = torch::zeros({rois.size(0), classes, k, k}, torch::kDouble);
    for (std::int64_t i = 0; i < out.numel(); ++i) {
        const std::int64_t r = i / (classes * k * k), c = i / (k * k) % classes, gh = i / k % k, gw = i % k;
        const auto low = [&](int n) { return std::round(rois[r][n].item<double>()) * scale; };
        const auto size = [&](int n) {
            return std::max((std::round(rois[r][n + 2].item<double>()) + 1) * scale - low(n), 0.1) / double(k);
        };
        const auto edge = [&](int n, double bin, std::int64_t limit, bool isEnd) {
            const double place = bin * size(n) + low(n);
            return std::clamp(std::int64_t(isEnd ? std::ceil(place) : std::floor(place)), std::int64_t(0), limit);
        };
        const auto top = edge(2, double(gh), features.size(2), false),
                   bottom = edge(2, double(gh + 1), features.size(2), true);
        const auto left = edge(1, double(gw), features.size(3), false),
                   right = edge(1, double(gw + 1), features.size(3), true);
        if (bottom > top && right > left)
            out.view(-1)[i] = features[rois[r][0].item<std::int64_t>()][(c * k + gh) * k + gw]
                                  .slice(0, top, bottom)
                                  .slice(1, left, right)
                                  .mean();
    }
    return out;
}

/// Gradient by the features of the sum of weight × output.
torch::Tensor gradientOf(const Operator& work, const torch::Tensor& features, const torch::Tensor& rois,
                         const torch::Tensor& weights) {
    const auto leaf = features.detach().clone().set_requires_grad(true);
    (work(leaf, rois) * weights).sum().backward();
    return leaf.grad();
}

} // namespace

class tst_RoiOperators : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void initTestCase() { configureThreads(1); }

    void equalsTorchvision_data() {
        QTest::addColumn<QString>("name");
        const auto cases = roiReference();
        for (const auto& entry : cases.items())
            if (entry.key() != "rois")
                QTest::addRow("%s", entry.key().c_str()) << QString::fromStdString(entry.key());
    }
    void equalsTorchvision() {
        QFETCH(QString, name);
        const auto all = roiReference();
        const auto& expected = all[name.toStdString()];
        const auto sizes = expected["sizes"].get<std::vector<std::int64_t>>();
        const auto work = operatorOf(name.toStdString());
        const auto features = noise("roi features", {2, name == "position_sensitive" ? 8 : 2, 7, 9});
        const auto rois = tensorOf(all["rois"], {-1, 5}), weights = noise("roi weights", sizes);
        const auto values = tensorOf(expected["values"], sizes);
        const auto gradient = tensorOf(expected["gradient"], features.sizes());
        for (const auto format : {torch::MemoryFormat::Contiguous, torch::MemoryFormat::ChannelsLast}) {
            const auto laidOut = features.contiguous(format);
            QVERIFY(largestDifference(work(laidOut, rois), values) < 1e-6);
            QVERIFY(largestDifference(gradientOf(work, laidOut, rois, weights), gradient) < 1e-6);
            QVERIFY(largestDifference(work(laidOut.to(torch::kFloat), rois.to(torch::kFloat)), values) < 2e-6);
        }
    }

    void alignEqualsItsDefinition_data() {
        QTest::addColumn<qint64>("samples");
        QTest::newRow("adaptive") << qint64(0);
        QTest::newRow("two") << qint64(2);
        QTest::newRow("five") << qint64(5);
    }
    void alignEqualsItsDefinition() {
        QFETCH(qint64, samples);
        const RoiAlignShape shape{4, 3, 0.25, samples, false};
        const auto features = noise("definition", {2, 3, 7, 9}), rois = randomRois("definition rois", 40);
        QVERIFY(largestDifference(roiAlign(features, rois, shape), bruteForceAlign(features, rois, shape)) < 1e-12);
    }

    void readsManyChannelsAndBFloat16() {
        const RoiAlignShape shape{7, 7, 0.25, 2, false};
        const auto rois = randomRois("wide rois", 20);
        const auto features = noise("wide", {2, 83, 7, 9}).to(torch::kBFloat16);
        const auto exact = roiAlign(features.to(torch::kDouble), rois, shape);
        QVERIFY(largestDifference(roiAlign(features.to(torch::kFloat), rois, shape), exact) < 1e-6);
        const auto half = roiAlign(features, rois, shape);
        QCOMPARE(half.scalar_type(), torch::kBFloat16);
        QVERIFY(largestDifference(half, exact) <= 1.0 / 256); // values below 1, rounded once
        const auto pooled = roiPool(features, rois, {7, 7, 0.25});
        QCOMPARE(pooled.scalar_type(), torch::kBFloat16);
        QVERIFY(isEqual(pooled.to(torch::kDouble), roiPool(features.to(torch::kDouble), rois, {7, 7, 0.25})));
        const auto leaf = features.clone().set_requires_grad(true);
        roiAlign(leaf, rois, shape).to(torch::kFloat).sum().backward();
        QCOMPARE(leaf.grad().scalar_type(), torch::kBFloat16);
    }

    void positionSensitiveEqualsItsDefinition() {
        const auto features = noise("position", {2, 18, 7, 9}), rois = randomRois("position rois", 40);
        const auto values = positionSensitiveRoiPool(features, rois, {3, 0.25, true});
        QVERIFY(largestDifference(values, bruteForcePositionSensitive(features, rois, 3, 0.25)) < 1e-12);
    }

    void poolOfKnownCells() {
        const auto features = torch::arange(16, torch::kFloat).reshape({1, 1, 4, 4});
        const auto all = roiPool(features, torch::tensor({0.F, 0.F, 0.F, 3.F, 3.F}).reshape({1, 5}), {2, 2, 1});
        QVERIFY(isEqual(all.flatten(), torch::tensor({5.F, 7.F, 13.F, 15.F})));
        // Over the lower right corner, by two cells: only the first bin holds cells.
        const auto cut = roiPool(features, torch::tensor({0.F, 2.F, 2.F, 5.F, 5.F}).reshape({1, 5}), {2, 2, 1});
        QVERIFY(isEqual(cut.flatten(), torch::tensor({15.F, 0.F, 0.F, 0.F})));
    }

    void theFirstOfEqualsTakesTheGradient() {
        const auto rois = torch::tensor({0.F, 0.F, 0.F, 2.F, 2.F}).reshape({1, 5});
        const auto work = [](const auto& f, const auto& r) { return roiPool(f, r, {1, 1, 1}); };
        const auto gradient = gradientOf(work, torch::full({1, 1, 3, 3}, -2.F), rois, torch::ones({1, 1, 1, 1}));
        QCOMPARE(gradient[0][0][0][0].item<float>(), 1.F);
        QCOMPARE(gradient.sum().item<float>(), 1.F);
    }

    void gradientsEqualFiniteDifferences_data() {
        QTest::addColumn<int>("which");
        QTest::newRow("align") << 0;
        QTest::newRow("align, adaptive and aligned") << 1;
        QTest::newRow("pool") << 2;
        QTest::newRow("position-sensitive") << 3;
    }
    void gradientsEqualFiniteDifferences() {
        QFETCH(int, which);
        const std::vector<Operator> operators = {[](const auto& f, const auto& r) {
                                                     return roiAlign(f, r, {3, 2, 0.25, 2, false});
                                                 },
                                                 [](const auto& f, const auto& r) {
                                                     return roiAlign(f, r, {2, 3, 0.25, 0, true});
                                                 },
                                                 [](const auto& f, const auto& r) {
                                                     return roiPool(f, r, {3, 2, 0.25});
                                                 },
                                                 [](const auto& f, const auto& r) {
                                                     return positionSensitiveRoiPool(f, r, {2, 0.25, true});
                                                 }};
        const auto& work = operators[std::size_t(which)];
        const auto features = noise("differences", {2, 4, 7, 9}), rois = randomRois("difference rois", 12);
        const auto weights = noise("difference weights", work(features, rois).sizes());
        const auto gradient = gradientOf(work, features, rois, weights);
        auto moved = features.clone();
        for (std::int64_t i = 0; i < moved.numel(); ++i) {
            const auto value = [&](double step) {
                moved.view(-1)[i] = features.view(-1)[i] + step;
                return (work(moved, rois) * weights).sum().item<double>();
            };
            const double slope = (value(1e-5) - value(-1e-5)) / 2e-5;
            moved.view(-1)[i] = features.view(-1)[i];
            QVERIFY(std::abs(slope - gradient.reshape(-1)[i].item<double>()) < 1e-8);
        }
    }

    void doesNotDependOnTheNumberOfThreads() {
        const auto features = noise("threads", {2, 45, 7, 9}).to(torch::kFloat), rois = randomRois("thread rois", 50);
        const std::vector<Operator> operators = {[](const auto& f, const auto& r) {
                                                     return roiAlign(f, r, {7, 7, 0.25, 2, false});
                                                 },
                                                 [](const auto& f, const auto& r) {
                                                     return roiPool(f, r, {7, 7, 0.25});
                                                 },
                                                 [](const auto& f, const auto& r) {
                                                     return positionSensitiveRoiPool(f, r, {3, 0.25, true});
                                                 }};
        for (const auto& work : operators) {
            const auto weights = noise("thread weights", work(features, rois).sizes()).to(torch::kFloat);
            const auto values = work(features, rois), gradient = gradientOf(work, features, rois, weights);
            configureThreads(3);
            QVERIFY(isEqual(work(features, rois), values));
            QVERIFY(isEqual(gradientOf(work, features, rois, weights), gradient));
            configureThreads(1);
        }
    }

    void noRegionsGiveNoValuesAndNoGradient() {
        const auto rois = torch::zeros({0, 5});
        const auto features = torch::ones({1, 4, 3, 3}).set_requires_grad(true);
        const auto aligned = roiAlign(features, rois, {7, 5, 1}), pooled = roiPool(features, rois, {7, 5, 1});
        const auto sensitive = positionSensitiveRoiPool(features, rois, {2, 1});
        QCOMPARE(aligned.sizes().vec(), std::vector<std::int64_t>({0, 4, 7, 5}));
        QCOMPARE(pooled.sizes().vec(), std::vector<std::int64_t>({0, 4, 7, 5}));
        QCOMPARE(sensitive.sizes().vec(), std::vector<std::int64_t>({0, 1, 2, 2}));
        (aligned.sum() + pooled.sum() + sensitive.sum()).backward();
        QVERIFY(isEqual(features.grad(), torch::zeros({1, 4, 3, 3})));
    }

    void refusesWhatItCannotRead() {
        const auto features = torch::ones({2, 4, 3, 3});
        const auto region = [](float image) { return torch::tensor({image, 0.F, 0.F, 2.F, 2.F}).reshape({1, 5}); };
        QVERIFY_EXCEPTION_THROWN(roiAlign(features, region(2), {}), c10::Error);
        QVERIFY_EXCEPTION_THROWN(roiPool(features, region(-1), {}), c10::Error);
        QVERIFY_EXCEPTION_THROWN(positionSensitiveRoiPool(features, region(0), {3, 1}), c10::Error); // 4 of 9 channels
        QVERIFY_EXCEPTION_THROWN(roiAlign(features, torch::zeros({1, 4}), {}), c10::Error);
        QVERIFY_EXCEPTION_THROWN(roiAlign(torch::ones({4, 3, 3}), region(0), {}), c10::Error);
        QCOMPARE(roiAlign(features, region(1), {}).sizes().vec(), std::vector<std::int64_t>({1, 4, 7, 7}));
    }

    void survivesRegionsThatAreNoNumbers() {
        const float nan = std::nanf(""), huge = 1e30F;
        const auto rois = torch::tensor({0.F, nan, nan, nan, nan, 0.F, -huge, -huge, huge, huge}).reshape({2, 5});
        const auto features = torch::ones({1, 4, 3, 3});
        QVERIFY(isEqual(roiAlign(features, rois, {2, 2, 1})[0], torch::zeros({4, 2, 2})));
        QCOMPARE(roiPool(features, rois, {2, 2, 1}).sizes().vec(), std::vector<std::int64_t>({2, 4, 2, 2}));
        QCOMPARE(positionSensitiveRoiPool(features, rois, {2, 1}).size(0), std::int64_t(2));
    }

    void gpuAgreesWithCpu() {
        if (!at::hasCUDA() || at::detail::getCUDAHooks().getNumGPUs() == 0)
            QSKIP("needs a GPU and a LibTorch with CUDA");
        const auto features = noise("gpu", {2, 36, 7, 9}).to(torch::kFloat),
                   rois = randomRois("gpu rois", 60).to(torch::kFloat);
        const std::vector<Operator> operators = {[](const auto& f, const auto& r) {
                                                     return roiAlign(f, r, {7, 5, 0.25, 0, false});
                                                 },
                                                 [](const auto& f, const auto& r) {
                                                     return roiAlign(f, r, {7, 5, 0.25, 2, true});
                                                 },
                                                 [](const auto& f, const auto& r) {
                                                     return roiPool(f, r, {7, 5, 0.25});
                                                 },
                                                 [](const auto& f, const auto& r) {
                                                     return positionSensitiveRoiPool(f, r, {3, 0.25, true});
                                                 },
                                                 [](const auto& f, const auto& r) {
                                                     return positionSensitiveRoiPool(f, r, {3, 0.25, false});
                                                 }};
        for (const auto& work : operators) {
            const auto weights = noise("gpu weights", work(features, rois).sizes()).to(torch::kFloat);
            QVERIFY(largestDifference(work(features.cuda(), rois.cuda()).cpu(), work(features, rois)) < 1e-5);
            QVERIFY(largestDifference(gradientOf(work, features.cuda(), rois.cuda(), weights.cuda()).cpu(),
                                      gradientOf(work, features, rois, weights)) < 1e-4);
        }
    }
};

QTEST_GUILESS_MAIN(tst_RoiOperators)
#include "tst_RoiOperators.moc"
