#include "core/solve/GradientPipeline.h"
#include "core/solve/Optimizer.h"

#include "tests/support/TestData.h"

#include <ATen/ATen.h>
#include <ATen/Parallel.h>

#include <cmath>
#include <limits>

using namespace trainyard;

namespace {

Parameter withGradient(const std::string& name, at::Tensor gradient, Parameter::Role role = Parameter::Role::Weight) {
    Parameter parameter{name, at::zeros_like(gradient).set_requires_grad(true), role, false};
    parameter.value.mutable_grad() = gradient;
    return parameter;
}

const float kNan = std::numeric_limits<float>::quiet_NaN();
const float kInfinity = std::numeric_limits<float>::infinity();

} // namespace

class tst_GradientPipeline : public QObject {
    Q_OBJECT
private Q_SLOTS:
    // Weights (3, 0) and bias (2) times 2: norm of (3, 0, 4) is 5.
    void multipliesBiasGradientsBeforeTheNorm() {
        const auto weight = withGradient("w", at::tensor({3.0f, 0.0f}));
        auto bias = withGradient("b", at::tensor({2.0f}), Parameter::Role::Bias);
        bias.isMultiplied = true;
        SolveConfig config;
        config.biasMultiplier = 2;
        const auto report = runGradientPipeline({weight, bias}, config);
        QVERIFY(report.isFinite);
        QCOMPARE(report.norm, 5.0);
        QVERIFY(at::equal(weight.value.grad(), at::tensor({3.0f, 0.0f})));
        QVERIFY(at::equal(bias.value.grad(), at::tensor({4.0f})));
    }

    void clipsTheGlobalNorm() {
        const auto first = withGradient("a", at::tensor({3.0f}));
        const auto second = withGradient("b", at::tensor({4.0f}));
        SolveConfig config;
        config.clipNorm = 1;
        QCOMPARE(runGradientPipeline({first, second}, config).norm, 5.0);
        // torch.nn.utils.clip_grad_norm_: times 1 / (5 + 1e-6)
        QVERIFY(std::abs(first.value.grad().item<double>() - 0.6) < 1e-6);
        QVERIFY(std::abs(second.value.grad().item<double>() - 0.8) < 1e-6);
    }

    // g * c / max(|g|, c): (3, 4) has norm 5 and keeps its direction, (0.5, 0) has norm 0.5 and stays.
    void clipsEachGradientByItsOwnNorm() {
        const auto large = withGradient("large", at::tensor({3.0f, 4.0f}));
        const auto small = withGradient("small", at::tensor({0.5f, 0.0f}));
        SolveConfig config;
        config.clipEachNorm = 2;
        QCOMPARE(runGradientPipeline({large, small}, config).norm, std::sqrt(25.25)); // before clipping
        QVERIFY(at::allclose(large.value.grad(), at::tensor({1.2f, 1.6f}), 1e-6, 0));
        QVERIFY(at::equal(small.value.grad(), at::tensor({0.5f, 0.0f})));
    }

    // A bias (3) times 2, frozen gradients of norm 100, each norm at most 5, the global one at most 3. In this order:
    // the bias becomes 6, then 5; with the weight's 4 the global norm is sqrt(41). Were clipping first, the bias would
    // be 6; were freezing last, the frozen gradient would shrink the others.
    void multipliesFreezesAndClipsInThisOrder() {
        auto bias = withGradient("bias", at::tensor({3.0f}));
        bias.isMultiplied = true;
        auto frozen = withGradient("frozen", at::tensor({100.0f}));
        frozen.isFrozen = true;
        const auto weight = withGradient("weight", at::tensor({4.0f}));
        SolveConfig config;
        config.biasMultiplier = 2;
        config.clipEachNorm = 5;
        config.clipNorm = 3;
        QCOMPARE(runGradientPipeline({bias, frozen, weight}, config).norm, std::sqrt(52.0));
        QVERIFY(!frozen.value.grad().defined());
        QVERIFY(std::abs(bias.value.grad().item<double>() - 15 / std::sqrt(41.0)) < 1e-5);
        QVERIFY(std::abs(weight.value.grad().item<double>() - 12 / std::sqrt(41.0)) < 1e-5);
        // and apply: what the optimiser takes is the clipped gradient
        config.momentum = 0;
        config.weightDecay = 0;
        makeOptimizer(config, {bias, frozen, weight})->step(0.5);
        QVERIFY(std::abs(weight.value.item<double>() + 6 / std::sqrt(41.0)) < 1e-5);
        QCOMPARE(frozen.value.item<double>(), 0.0);
    }

    void leavesSmallGradientsUntouched() {
        const auto parameter = withGradient("a", at::tensor({0.3f, -0.4f}));
        SolveConfig config;
        config.clipNorm = 1;
        config.clipValue = 0.5;
        runGradientPipeline({parameter}, config);
        QVERIFY(at::equal(parameter.value.grad(), at::tensor({0.3f, -0.4f})));
    }

    void clipsEveryElement() {
        const auto parameter = withGradient("a", at::tensor({3.0f, -4.0f, 0.25f}));
        SolveConfig config;
        config.clipValue = 0.5;
        runGradientPipeline({parameter}, config);
        QVERIFY(at::equal(parameter.value.grad(), at::tensor({0.5f, -0.5f, 0.25f})));
    }

    void dropsFrozenGradients() {
        auto frozen = withGradient("frozen", at::tensor({30.0f}));
        frozen.isFrozen = true;
        const auto trained = withGradient("trained", at::tensor({-2.0f}));
        QCOMPARE(runGradientPipeline({frozen, trained}, {}).norm, 2.0);
        QVERIFY(!frozen.value.grad().defined());
        QVERIFY(trained.value.grad().defined());
    }

    void namesWhatIsNotFiniteAndStopsThere() {
        const auto fine = withGradient("fine", at::tensor({3.0f}));
        const auto nan = withGradient("nan", at::tensor({1.0f, kNan}));
        const auto infinite = withGradient("infinite", at::tensor({-kInfinity, 1.0f}));
        SolveConfig config;
        config.clipValue = 0.5;
        const auto report = runGradientPipeline({fine, nan, infinite}, config);
        QVERIFY(!report.isFinite);
        QCOMPARE(report.nonFinite, (std::vector<std::string>{"nan", "infinite"}));
        QVERIFY(at::equal(fine.value.grad(), at::tensor({3.0f})));
    }

    void largeButFiniteIsFinite() {
        const auto parameter = withGradient("a", at::full({1000}, 3e38f));
        const auto report = runGradientPipeline({parameter}, {});
        QVERIFY(report.isFinite);
        QVERIFY(std::isfinite(report.norm));
    }

    // A channels-last gradient, a strided view, float64 and a missing one: norm of 4 + 4 + 1 twos is 6.
    void readsAnyMemory() {
        const auto last = withGradient("last", at::full({1, 2, 2, 1}, 2.0f).contiguous(at::MemoryFormat::ChannelsLast));
        const auto strided = withGradient("strided", at::full({2, 4}, 2.0f).slice(1, 0, 4, 2));
        const auto wide = withGradient("wide", at::full({1}, 2.0, at::kDouble));
        const Parameter missing{"missing", at::ones({3}).set_requires_grad(true), Parameter::Role::Weight, false};
        SolveConfig config;
        config.clipValue = 0.5;
        QCOMPARE(runGradientPipeline({last, strided, wide, missing}, config).norm, 6.0);
        QVERIFY(at::equal(strided.value.grad(), at::full({2, 2}, 0.5f)));
        QCOMPARE(wide.value.grad().item<double>(), 0.5);
    }

    void doesNotDependOnTheThreadCount() {
        at::manual_seed(5);
        const auto parameter = withGradient("a", at::randn({900, 1000}));
        at::set_num_threads(1);
        const double one = runGradientPipeline({parameter}, {}).norm;
        at::set_num_threads(3);
        QCOMPARE(std::memcmp(&one, &static_cast<const double&>(runGradientPipeline({parameter}, {}).norm), 8), 0);
    }
};

QTEST_GUILESS_MAIN(tst_GradientPipeline)
#include "tst_GradientPipeline.moc"
