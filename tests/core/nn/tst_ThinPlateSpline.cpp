#include "core/nn/PointSampling.h"
#include "core/nn/ThinPlateSpline.h"
#include "core/nn/Threads.h"
#include "tests/core/models/Reference.h"

using namespace trainyard;
using namespace trainyard::testing;

namespace {

constexpr std::int64_t kHeight = 4, kWidth = 7, kPoints = 6;

/// What make_spline_reference.py has seen.
const nlohmann::json& expected() {
    static const nlohmann::json values = [] {
        std::ifstream file(testData("nn/spline.json"));
        return nlohmann::json::parse(file);
    }();
    return values;
}

/// Its picture: [N, 2, height, width], the same one N times.
torch::Tensor picture(std::int64_t samples, std::int64_t height, std::int64_t width) {
    const auto x = at::arange(width, torch::kDouble), y = at::arange(height, torch::kDouble).unsqueeze(1);
    return at::stack({at::sin(0.7 * x + 0.3 * y), at::cos(0.2 * x * y)}).expand({samples, 2, height, width});
}

/// Source points of every output pixel, [N, h, w, 2], for control points [N, K, 2].
torch::Tensor warped(const torch::Tensor& basis, const torch::Tensor& points, std::int64_t height, std::int64_t width) {
    return at::matmul(basis, points).view({points.size(0), height, width, 2});
}

/// The largest difference between the gradient of `loss` by `input` and its central differences.
template <class Loss>
double gradientError(torch::Tensor input, const Loss& loss) {
    input = input.detach().clone().requires_grad_();
    loss(input).backward();
    const torch::NoGradGuard noGradients;
    const torch::Tensor flat = input.view(-1), gradient = input.grad().reshape(-1);
    double largest = 0;
    for (std::int64_t i = 0; i < flat.numel(); ++i) {
        constexpr double kStep = 1e-6;
        flat[i] += kStep;
        const double above = loss(input).template item<double>();
        flat[i] -= 2 * kStep;
        const double below = loss(input).template item<double>();
        flat[i] += kStep;
        largest = std::max(largest, std::abs((above - below) / (2 * kStep) - gradient[i].item<double>()));
    }
    return largest;
}

} // namespace

class tst_ThinPlateSpline : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void initTestCase() { configureThreads(1); }

    void patternsAreAsSpecified_data() {
        QTest::addColumn<QString>("name");
        for (const char* name : {"identity", "slope", "sine"})
            QTest::newRow(name) << name;
    }
    void patternsAreAsSpecified() {
        QFETCH(QString, name);
        const auto points = ControlPoints{8, 0.1, 0.05}.pattern(name.toStdString());
        QVERIFY(largestDifference(points, tensorOf(expected()["patterns"][name.toStdString()], {8, 2})) < 1e-12);
    }

    void otherPatternsAreRefused() {
        QVERIFY_EXCEPTION_THROWN(ControlPoints{}.pattern("spiral"), c10::Error);
        QVERIFY_EXCEPTION_THROWN((ControlPoints{7, 0, 0}.canonical()), c10::Error);
    }

    void gridEqualsTheClosedFormula() {
        const auto basis = thinPlateBasis(ControlPoints{kPoints, 0.1, 0.05}.canonical(), kHeight, kWidth);
        QCOMPARE(basis.sizes().vec(), (std::vector<std::int64_t>{kHeight * kWidth, kPoints}));
        const auto grid = warped(basis, tensorOf(expected()["targets"], {2, kPoints, 2}), kHeight, kWidth);
        QVERIFY(largestDifference(grid, tensorOf(expected()["grids"], grid.sizes())) < 1e-10);
    }

    void samplesEqualFourGathers() {
        const auto grid = tensorOf(expected()["grids"], {2, kHeight, kWidth, 2});
        const auto samples = sampleAt(picture(2, 9, 13), grid);
        QVERIFY(largestDifference(samples, tensorOf(expected()["samples"], {2, 2, kHeight, kWidth})) < 1e-10);
        QVERIFY(samples.is_contiguous(torch::MemoryFormat::ChannelsLast));
    }

    // Identity points make a bilinear resize: pixel (i, j) of h x w shows (W (j + 1/2) / w, H (i + 1/2) / h), which on
    // a ramp is that number itself, up to the clamp at W - 2 and H - 2.
    void identityPointsResize_data() {
        QTest::addColumn<int>("height");
        QTest::addColumn<int>("width");
        QTest::newRow("smaller") << 8 << 25;
        QTest::newRow("larger") << 40 << 120;
    }
    void identityPointsResize() {
        QFETCH(int, height);
        QFETCH(int, width);
        const ControlPoints points{20, 0, 0};
        const auto grid = warped(thinPlateBasis(points.canonical(), height, width),
                                 points.pattern("identity").unsqueeze(0), height, width);
        const auto x = at::arange(64, torch::kDouble).expand({16, 64}),
                   y = at::arange(16, torch::kDouble).unsqueeze(1).expand({16, 64});
        const auto shown = sampleAt(at::stack({x, y}).unsqueeze(0), grid)[0];
        for (int i = 0; i < height; ++i)
            for (int j = 0; j < width; ++j) {
                const double column = std::min(64 * (j + 0.5) / width, 62.0),
                             row = std::min(16 * (i + 0.5) / height, 14.0);
                QVERIFY(std::abs(shown[0][i][j].item<double>() - column) < 1e-8);
                QVERIFY(std::abs(shown[1][i][j].item<double>() - row) < 1e-8);
            }
    }

    void gradientsEqualDifferences() {
        const auto basis = thinPlateBasis(ControlPoints{kPoints, 0.1, 0.05}.canonical(), kHeight, kWidth);
        const auto targets = tensorOf(expected()["targets"], {2, kPoints, 2});
        const auto images = picture(2, 9, 13).contiguous(), slopes = noise("slopes", {2, 2, kHeight, kWidth});
        const auto byPoints = [&](const torch::Tensor& points) {
            return (sampleAt(images, warped(basis, points, kHeight, kWidth)) * slopes).sum();
        };
        const auto byImages = [&](const torch::Tensor& shown) {
            return (sampleAt(shown, warped(basis, targets, kHeight, kWidth)) * slopes).sum();
        };
        QVERIFY(gradientError(targets, byPoints) < 1e-6);
        QVERIFY(gradientError(images, byImages) < 1e-6);
    }

    void heldPointsHaveNoGradient() {
        auto points =
            torch::tensor({-0.5, 0.5, 1.5, 0.5, 0.5, 0.3}, torch::kDouble).view({1, 1, 3, 2}).requires_grad_();
        sampleAt(picture(1, 9, 13), points).sum().backward();
        const auto gradient = points.grad().view({3, 2});
        QCOMPARE(gradient[0][0].item<double>(), 0.0);
        QCOMPARE(gradient[1][0].item<double>(), 0.0);
        QVERIFY(gradient[2][0].item<double>() != 0.0);
        QVERIFY(gradient[0][1].item<double>() != 0.0);
    }
};

QTEST_GUILESS_MAIN(tst_ThinPlateSpline)
#include "tst_ThinPlateSpline.moc"
