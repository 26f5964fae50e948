#include "core/config/imports/AsterVariables.h"
#include "core/config/imports/ConfigImport.h"
#include "tests/core/config/AsterDemo.h"
#include "tests/support/TestData.h"

#include <set>

using namespace trainyard;
using namespace trainyard::aster;
using namespace trainyard::testing;

namespace {

std::set<std::string> parametersOf(const std::vector<VariableName>& names, const std::string& variable) {
    std::set<std::string> found;
    for (const VariableName& name : names)
        if (name.variable == variable)
            found.insert(name.parameter);
    return found;
}

std::vector<VariableName> demoNames() {
    return variableNames(ModelConfig(), {"Forward", "Backward"});
}

using Names = std::set<std::string>;
using Texts = std::vector<std::string>;

} // namespace

/// A40: the names of the original's variables.
class TestAsterVariables : public QObject {
    Q_OBJECT
private Q_SLOTS:
    // By hand: 6 convolutions and 2 dense layers; 1 + 2 x 22 + 5 convolutions; 2 layers of 2 kernels, 2 biases and a
    // projection; 2 decoders of 3 tensors of attention, a cell and an output. Of each of the first, a weight and an
    // offset.
    void countsThoseOfTheDemo() {
        std::set<std::string> variables;
        for (const VariableName& name : demoNames())
            variables.insert(name.variable);
        QCOMPARE(variables.size(), std::size_t(2 * 8 + 2 * 50 + 2 * (4 + 2) + 2 * (3 + 2 + 2)));
    }

    void namesThemAsTheOriginal_data() {
        QTest::addColumn<QString>("variable");
        QTest::addColumn<QString>("parameters");
        QTest::newRow("rectifier") << "LocalizationNet/Convnet/conv6/BatchNorm/beta"
                                   << "rectifier.conv6.norm.bias";
        QTest::newRow("control points") << "LocalizationNet/fully_connected_1/biases"
                                        << "rectifier.fc2.bias";
        QTest::newRow("shortcut") << "FeatureExtractor/Convnet/ResNet/Block_4/Unit_1/ShortCut/weights"
                                  << "extractor.block4.unit1.shortcut.conv.weight";
        QTest::newRow("a kernel in two parts")
            << "FeatureExtractor/BidirectionalRnn_Branch_0_1/bidirectional_rnn/bw/lstm_cell/kernel"
            << "encoder0.rnn1.weight_hh_reverse encoder0.rnn1.weight_ih_reverse";
        QTest::newRow("projection") << "FeatureExtractor/BidirectionalRnn_Branch_0_0/fully_connected/weights"
                                    << "encoder0.projection0.weight";
        QTest::newRow("a kernel in three parts")
            << "Forward/Predictor/decoder/sync_attention_wrapper/lstm_cell/kernel"
            << "forward_decoder.context_weight forward_decoder.hidden_weight forward_decoder.label_weight";
        QTest::newRow("query")
            << "Backward/Predictor/decoder/sync_attention_wrapper/bahdanau_attention/query_layer/kernel"
            << "backward_decoder.query_layer.weight";
        QTest::newRow("memory") << "Backward/Predictor/memory_layer/kernel"
                                << "backward_decoder.memory_layer.weight";
        QTest::newRow("output") << "Forward/Predictor/decoder/dense/bias"
                                << "forward_decoder.output.bias";
    }
    void namesThemAsTheOriginal() {
        QFETCH(QString, variable);
        QFETCH(QString, parameters);
        std::set<std::string> wanted;
        for (const QString& one : parameters.split(' '))
            wanted.insert(one.toStdString());
        QCOMPARE(::parametersOf(demoNames(), variable.toStdString()), wanted);
    }

    // The names that the original multiplies hold bias, biases or beta; ours hold what solve.bias_pattern says.
    void biasesAreTheSame() {
        for (const VariableName& name : demoNames()) {
            const auto holds = [](const std::string& text, const char* part) {
                return text.find(part) != std::string::npos;
            };
            QCOMPARE(holds(name.parameter, "bias") || holds(name.parameter, "beta"),
                     holds(name.variable, "bias") || holds(name.variable, "beta"));
        }
        QCOMPARE(RunConfig().solve.biasPattern, std::string("bias|beta"));
    }

    void freezesTheSame_data() {
        QTest::addColumn<QStringList>("expressions");
        QTest::addColumn<QStringList>("patterns");
        QTest::newRow("a network") << QStringList{"LocalizationNet"} << QStringList{"^rectifier\\."};
        QTest::newRow("from the start") << QStringList{"Net", "onvnet"} << QStringList();
        QTest::newRow("layers") << QStringList{"FeatureExtractor/Convnet/ResNet/(Conv0|Block_[12]/)"}
                                << QStringList{"^extractor\\.block1\\.", "^extractor\\.block2\\.",
                                               "^extractor\\.stem\\."};
        QTest::newRow("a tensor") << QStringList{".*Conv0/weights"} << QStringList{"^extractor\\.stem\\.conv\\."};
        QTest::newRow("an offset") << QStringList{"Forward/Predictor/decoder/dense/bias"}
                                   << QStringList{"^forward_decoder\\.output\\.bias$"};
        QTest::newRow("two together") << QStringList{"Forward/", "Backward/Predictor/memory"}
                                      << QStringList{"^backward_decoder\\.memory_layer\\.", "^forward_decoder\\."};
    }
    void freezesTheSame() {
        QFETCH(QStringList, expressions);
        QFETCH(QStringList, patterns);
        std::vector<std::string> texts, wanted;
        for (const QString& one : expressions)
            texts.push_back(one.toStdString());
        for (const QString& one : patterns)
            wanted.push_back(one.toStdString());
        const auto frozen = frozenNames(demoNames(), texts);
        VERIFY_RESULT(frozen);
        QCOMPARE(frozen->patterns, wanted);
        QCOMPARE(frozen->unused, wanted.empty() ? texts : Texts());
        QVERIFY(frozen->partly.empty());
    }

    // A GRU's gates and its candidate are one kernel here: half of it cannot be frozen.
    void halfAKernelStaysTrained() {
        ModelConfig model;
        model.aster.encoderCell = "gru";
        const auto names = variableNames(model, {"Forward", ""});
        const std::string cell = "FeatureExtractor/BidirectionalRnn_Branch_0_0/bidirectional_rnn/fw/gru_cell/";
        const auto half = frozenNames(names, {cell + "gates/kernel"});
        QVERIFY(half->patterns.empty());
        QCOMPARE(half->partly, (Texts{"encoder0.rnn0.weight_hh", "encoder0.rnn0.weight_ih"}));
        const auto whole = frozenNames(names, {cell + ".*kernel"});
        QCOMPARE(whole->patterns, (Texts{"^encoder0\\.rnn0\\.weight_hh$", "^encoder0\\.rnn0\\.weight_ih$"}));
    }

    void importsBoth() {
        const auto imported = importAster(replaced(asterDemo(), "num_steps: 1000",
                                                   "num_steps: 1000 bias_grad_multiplier: 2.5 "
                                                   "freeze_variables: \"LocalizationNet/.*\" "
                                                   "freeze_variables: \"Nowhere\""),
                                          "a.prototxt");
        VERIFY_RESULT(imported);
        QCOMPARE(imported->config.solve.biasMultiplier, 2.5);
        QCOMPARE(imported->config.solve.freeze, Texts{"^rectifier\\."});
        const std::string yaml = imported->yaml("a.prototxt");
        for (const char* part :
             {"the same is called ^rectifier\\. here", "No variable's name begins with \"Nowhere\"."})
            QVERIFY2(yaml.find(part) != std::string::npos, yaml.c_str());
    }
};

QTEST_GUILESS_MAIN(TestAsterVariables)
#include "tst_AsterVariables.moc"
