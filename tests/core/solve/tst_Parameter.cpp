#include "core/solve/Parameter.h"

#include <torch/nn.h>

#include "tests/support/TestData.h"

using namespace trainyard;

namespace {

struct Network : torch::nn::Module {
    Network() {
        register_module("conv", torch::nn::Conv2d(torch::nn::Conv2dOptions(3, 4, 3)));
        register_module("body", torch::nn::Sequential(torch::nn::BatchNorm2d(4), torch::nn::GroupNorm(2, 4)));
        register_module("rnn", torch::nn::LSTM(torch::nn::LSTMOptions(4, 5).bidirectional(true)));
        fixed = register_parameter("fixed", torch::ones({2}), /*requires_grad=*/false);
    }
    torch::Tensor fixed;
};

Parameter named(const std::vector<Parameter>& parameters, const std::string& name) {
    for (const Parameter& parameter : parameters)
        if (parameter.name == name)
            return parameter;
    throw std::runtime_error("no parameter " + name);
}

} // namespace

class tst_Parameter : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void knowsRoles_data() {
        QTest::addColumn<QString>("name");
        QTest::addColumn<int>("role");
        QTest::newRow("convolution") << "conv.weight" << int(Parameter::Role::Weight);
        QTest::newRow("bias") << "conv.bias" << int(Parameter::Role::Bias);
        QTest::newRow("batch norm's scale") << "body.0.weight" << int(Parameter::Role::Norm);
        QTest::newRow("batch norm's offset") << "body.0.bias" << int(Parameter::Role::Bias);
        QTest::newRow("group norm's scale") << "body.1.weight" << int(Parameter::Role::Norm);
        QTest::newRow("group norm's offset") << "body.1.bias" << int(Parameter::Role::Bias);
        QTest::newRow("LSTM weight") << "rnn.weight_ih_l0" << int(Parameter::Role::Weight);
        QTest::newRow("LSTM input bias") << "rnn.bias_ih_l0" << int(Parameter::Role::Bias);
        QTest::newRow("LSTM hidden bias") << "rnn.bias_hh_l0_reverse" << int(Parameter::Role::Bias);
    }

    void knowsRoles() {
        QFETCH(QString, name);
        QFETCH(int, role);
        const Network network;
        QCOMPARE(int(named(parametersOf(network, {}), name.toStdString()).role), role);
    }

    void keepsTheModulesOrderAndMemory() {
        const Network network;
        const auto parameters = parametersOf(network, {});
        const auto own = network.named_parameters();
        QCOMPARE(parameters.size(), own.size());
        for (std::size_t i = 0; i < parameters.size(); ++i) {
            QCOMPARE(parameters[i].name, own[i].key());
            QVERIFY(parameters[i].value.is_same(own[i].value()));
        }
    }

    // The names that the ASTER trainer multiplies hold "bias" or "beta": offsets of normalisations are among them.
    void picksTheGradientsToMultiplyByName() {
        const Network network;
        for (const Parameter& parameter : parametersOf(network, {}))
            QCOMPARE(parameter.isMultiplied, parameter.name.find("bias") != std::string::npos);
        SolveConfig config;
        config.biasPattern = "^conv\\.bias$";
        for (const Parameter& parameter : parametersOf(network, config))
            QCOMPARE(parameter.isMultiplied, parameter.name == "conv.bias");
    }

    void freezesByPatternAndWhatNeedsNoGradient() {
        const Network network;
        SolveConfig config;
        config.freeze = {"^conv\\."};
        const auto parameters = parametersOf(network, config);
        QVERIFY(named(parameters, "conv.weight").isFrozen);
        QVERIFY(named(parameters, "conv.bias").isFrozen);
        QVERIFY(named(parameters, "fixed").isFrozen);
        QVERIFY(!named(parameters, "body.0.weight").isFrozen);
    }
};

QTEST_GUILESS_MAIN(tst_Parameter)
#include "tst_Parameter.moc"
