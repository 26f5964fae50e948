#include "core/solve/GradientPipeline.h"
#include "core/solve/Optimizer.h"

#include "tests/support/TestData.h"

#include <ATen/ATen.h>
#include <ATen/Parallel.h>
#include <nlohmann/json.hpp>

#include <cmath>
#include <fstream>

using namespace trainyard;

namespace {

nlohmann::json reference() {
    std::ifstream file(testing::testData("solve/optimizer_reference.json"));
    return nlohmann::json::parse(file);
}

SolveConfig configOf(const nlohmann::json& test) {
    SolveConfig config;
    config.optimizer = test["optimizer"];
    config.momentum = test.value("momentum", 0.9);
    config.nesterov = test.value("nesterov", false);
    config.rateInMomentum = test.value("rate_in_momentum", false);
    config.momentumRescale = test.value("momentum_rescale", 1.1);
    config.weightDecay = test["weight_decay"];
    config.beta1 = test.value("beta1", 0.9);
    config.beta2 = test.value("beta2", 0.999);
    config.epsilon = test.value("epsilon", 1e-8);
    config.rho = test.value("rho", 0.95);
    return config;
}

Parameter parameterOf(const std::string& name, at::Tensor value, Parameter::Role role = Parameter::Role::Weight) {
    return {name, value.set_requires_grad(true), role, false};
}

at::Tensor tensorOf(const nlohmann::json& numbers, at::ScalarType type) {
    return at::tensor(numbers.get<std::vector<double>>(), at::kDouble).to(type);
}

/// With default settings; "sgd of steps" is sgd with the rate in its momentum.
SolveConfig configNamed(const std::string& optimizer) {
    SolveConfig config;
    config.rateInMomentum = optimizer == "sgd of steps";
    config.optimizer = config.rateInMomentum ? "sgd" : optimizer;
    return config;
}

/// Ten steps on a tensor of 700 000 random values (three chunks); the weights after it.
at::Tensor trained(const std::string& optimizer, int threads, std::vector<double>* norms = nullptr) {
    at::set_num_threads(threads);
    at::manual_seed(3);
    const SolveConfig config = configNamed(optimizer);
    const auto parameter = parameterOf("w", at::randn({700, 1000}));
    const auto steps = makeOptimizer(config, {parameter});
    for (int step = 0; step < 10; ++step) {
        at::Tensor(parameter.value).mutable_grad() = at::randn({700, 1000});
        steps->step(0.01, norms);
    }
    return parameter.value.detach();
}

} // namespace

class tst_Optimizer : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void matchesTheReference_data() {
        QTest::addColumn<int>("number");
        QTest::addColumn<bool>("isDouble"); // float32 takes our loops, float64 LibTorch's operators
        const auto cases = reference()["cases"];
        for (std::size_t i = 0; i < cases.size(); ++i) {
            const auto name = cases[i]["name"].get<std::string>();
            QTest::newRow((name + ", loops").c_str()) << int(i) << false;
            QTest::newRow((name + ", operators").c_str()) << int(i) << true;
        }
    }

    void matchesTheReference() {
        QFETCH(int, number);
        QFETCH(bool, isDouble);
        const auto type = isDouble ? at::kDouble : at::kFloat;
        const auto all = reference();
        const auto test = all["cases"][std::size_t(number)];
        const auto parameter = parameterOf("w", tensorOf(all["start"], type));
        const auto optimizer = makeOptimizer(configOf(test), {parameter});
        for (std::size_t step = 0; step < 10; ++step) {
            at::Tensor(parameter.value).mutable_grad() = tensorOf(all["gradients"][step], type);
            optimizer->step(test["rates"][step]);
            const auto expected = tensorOf(test["weights"][step], type);
            QVERIFY2(at::allclose(parameter.value.detach(), expected, 2e-6, 2e-7),
                     qPrintable(QString("differs at step %1").arg(step)));
        }
    }

    // V = 0.9 V + rate * g: 0.1, then 0.1 * (0.9 + 1) = 0.19; at the drop by ten V is a tenth of that, 0.019, before
    // 0.9 * 0.019 + 0.01 = 0.0271. Nothing is scaled at the first iteration, nor where the rate changes little.
    void scalesTheMomentumWithTheRate() {
        SolveConfig config = configNamed("sgd of steps");
        config.weightDecay = 0;
        const auto parameter = parameterOf("w", at::zeros({1}));
        const auto optimizer = makeOptimizer(config, {parameter});
        double weight = 0;
        for (const auto& [rate, velocity] :
             {std::pair(0.1, 0.1), {0.1, 0.19}, {0.01, 0.0271}, {0.0105, 0.9 * 0.0271 + 0.0105}}) {
            at::Tensor(parameter.value).mutable_grad() = at::ones({1});
            optimizer->step(rate);
            weight -= velocity;
            QVERIFY(std::abs(parameter.value.item<double>() - weight) < 1e-6);
        }
    }

    // Caffe2's rule: a bias's gradient counts twice and does not decay, a scale of a normalisation has a decay of its
    // own.
    void treatsBiasesAsDetectron() {
        SolveConfig config = configNamed("sgd of steps");
        config.weightDecay = 0.1;
        config.normWeightDecay = 0.01;
        config.biasMultiplier = 2;
        std::vector<Parameter> parameters = {parameterOf("w", at::ones({1}), Parameter::Role::Weight),
                                             parameterOf("n", at::ones({1}), Parameter::Role::Norm),
                                             parameterOf("b", at::ones({1}), Parameter::Role::Bias)};
        parameters[2].isMultiplied = true;
        for (Parameter& parameter : parameters)
            parameter.value.mutable_grad() = at::full({1}, 0.25f);
        runGradientPipeline(parameters, config);
        makeOptimizer(config, parameters)->step(0.5);
        QCOMPARE(parameters[0].value.item<float>(), 1 - 0.5f * (0.25f + 0.1f));
        QCOMPARE(parameters[1].value.item<float>(), 1 - 0.5f * (0.25f + 0.01f));
        QCOMPARE(parameters[2].value.item<float>(), 1 - 0.5f * 0.5f);
    }

    // One parameter of each role; gradient zero, so that SGD's update is rate times decay times weight.
    void decaysByRole() {
        SolveConfig config;
        config.momentum = 0;
        config.weightDecay = 0.1;
        config.normWeightDecay = 0.01;
        config.biasWeightDecay = 0.001;
        std::vector<Parameter> parameters = {parameterOf("w", at::ones({1}), Parameter::Role::Weight),
                                             parameterOf("n", at::ones({1}), Parameter::Role::Norm),
                                             parameterOf("b", at::ones({1}), Parameter::Role::Bias)};
        for (Parameter& parameter : parameters)
            parameter.value.mutable_grad() = at::zeros({1});
        makeOptimizer(config, parameters)->step(0.5);
        QCOMPARE(parameters[0].value.item<float>(), 0.95f);
        QCOMPARE(parameters[1].value.item<float>(), 0.995f);
        QCOMPARE(parameters[2].value.item<float>(), 0.9995f);
    }

    void leavesFrozenAndGradientlessAlone() {
        std::vector<Parameter> parameters = {parameterOf("frozen", at::ones({2})), parameterOf("idle", at::ones({2})),
                                             parameterOf("trained", at::ones({2}))};
        parameters[0].isFrozen = true;
        parameters[0].value.mutable_grad() = at::ones({2});
        parameters[2].value.mutable_grad() = at::tensor({3.0f, 4.0f});
        SolveConfig config;
        config.weightDecay = 0;
        const auto optimizer = makeOptimizer(config, parameters);
        std::vector<double> norms;
        optimizer->step(1.0, &norms);
        QVERIFY(at::equal(parameters[0].value, at::ones({2})));
        QVERIFY(at::equal(parameters[1].value, at::ones({2})));
        QVERIFY(at::equal(parameters[2].value.detach(), at::tensor({-2.0f, -3.0f})));
        QCOMPARE(norms, (std::vector<double>{0, 0, 5}));
        QVERIFY(at::equal(optimizer->state()[0].second, at::tensor({0, 0, 1}, at::kLong)));
    }

    // Weights channels-last, gradients row by row, and one gradient a strided view: same values as all row by row.
    void followsAnyMemoryLayout_data() {
        QTest::addColumn<QString>("optimizer");
        for (const char* name : {"sgd", "adam", "adadelta", "rmsprop", "nadam", "sgd of steps"})
            QTest::newRow(name) << name;
    }

    void followsAnyMemoryLayout() {
        QFETCH(QString, optimizer);
        at::manual_seed(1);
        const auto start = at::randn({4, 3, 5, 2}), gradient = at::randn({4, 3, 5, 2});
        const auto wide = at::zeros({4, 3, 5, 4});
        wide.slice(3, 0, 4, 2).copy_(gradient);
        std::vector<Parameter> parameters = {
            parameterOf("rows", start.clone()),
            parameterOf("last", start.clone().contiguous(at::MemoryFormat::ChannelsLast)),
            parameterOf("strided", start.clone().permute({3, 1, 0, 2}).contiguous().permute({2, 1, 3, 0}))};
        parameters[0].value.mutable_grad() = gradient;
        parameters[1].value.mutable_grad() = gradient;
        parameters[2].value.mutable_grad() = wide.slice(3, 0, 4, 2);
        const SolveConfig config = configNamed(optimizer.toStdString());
        const auto steps = makeOptimizer(config, parameters);
        for (int step = 0; step < 3; ++step)
            steps->step(0.1);
        QVERIFY(parameters[1].value.is_contiguous(at::MemoryFormat::ChannelsLast));
        QVERIFY(at::equal(parameters[0].value, parameters[1].value));
        QVERIFY(at::equal(parameters[0].value, parameters[2].value));
        QVERIFY(!at::equal(parameters[0].value.detach(), start));
    }

    void goesOnFromItsStateBitForBit_data() { followsAnyMemoryLayout_data(); }
    void goesOnFromItsStateBitForBit() {
        QFETCH(QString, optimizer);
        const SolveConfig config = configNamed(optimizer.toStdString());
        const auto gradientAt = [](int step) { return at::arange(1, 7, at::kFloat).view({2, 3}) * (step - 2.5); };
        const auto whole = parameterOf("w", at::ones({2, 3}));
        const auto first = makeOptimizer(config, {whole});
        at::Tensor value;
        NamedTensors kept;
        for (int step = 0; step < 6; ++step) {
            if (step == 3) {
                value = whole.value.detach().clone();
                for (const auto& [name, tensor] : first->state())
                    kept.emplace_back(name, tensor.clone());
            }
            at::Tensor(whole.value).mutable_grad() = gradientAt(step);
            first->step(step < 3 ? 0.1 : 0.01); // the rate drops right where the second one takes over
        }
        const auto resumed = parameterOf("w", value);
        const auto second = makeOptimizer(config, {resumed});
        VERIFY_RESULT(second->setState(kept));
        for (int step = 3; step < 6; ++step) {
            at::Tensor(resumed.value).mutable_grad() = gradientAt(step);
            second->step(0.01);
        }
        QVERIFY(at::equal(whole.value, resumed.value));
    }

    void refusesAForeignState() {
        const auto optimizer = makeOptimizer({}, {parameterOf("w", at::ones({2, 3}))});
        const auto step = at::zeros({1}, at::kLong);
        const auto lacking = optimizer->setState({{"step", step}});
        QVERIFY(!lacking);
        QCOMPARE(exitCode(lacking.error().kind), 5);
        QVERIFY(lacking.error().what.find("\"w.momentum\"") != std::string::npos);
        const auto misshapen = optimizer->setState({{"step", step}, {"w.momentum", at::ones({3, 2})}});
        QVERIFY(!misshapen);
        QVERIFY(misshapen.error().what.find("another shape for \"w.momentum\"") != std::string::npos);
        QVERIFY(!optimizer->setState({{"step", step}, {"w.momentum", at::ones({2, 3})}, {"v.momentum", step}}));
    }

    void doesNotDependOnTheThreadCount_data() { followsAnyMemoryLayout_data(); }
    void doesNotDependOnTheThreadCount() {
        QFETCH(QString, optimizer);
        std::vector<double> oneNorms, threeNorms;
        const auto one = trained(optimizer.toStdString(), 1, &oneNorms);
        const auto three = trained(optimizer.toStdString(), 3, &threeNorms);
        QVERIFY(at::equal(one, three));
        QCOMPARE(oneNorms, threeNorms);
    }
};

QTEST_GUILESS_MAIN(tst_Optimizer)
#include "tst_Optimizer.moc"
