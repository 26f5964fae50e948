#include "core/config/imports/AsterVariables.h"
#include "core/config/imports/ConfigImport.h"
#include "core/nn/Threads.h"
#include "core/solve/GradientPipeline.h"
#include "core/solve/Optimizer.h"
#include "core/solve/Parameter.h"
#include "tests/core/models/AsterWorld.h"
#include "tests/core/models/TotalLoss.h"

#include <map>
#include <regex>
#include <set>

using namespace trainyard;
using namespace trainyard::testing;

namespace {

/// The demo of the original, as small as ASTER's own fields can make it, with a multiplier and something frozen.
const char* const kConfiguration = R"(model { multi_predictors_recognition_model {
  spatial_transformer { convnet { stn_convnet { tiny: true } } localization_h: 32 localization_w: 64
    num_control_points: 6 output_w: 48 }
  feature_extractor { convnet { crnn_net { tiny: true net_type: TWO_BRANCHES } }
    bidirectional_rnn { fw_bw_rnn_cell { lstm_cell { num_units: 4 use_peepholes: true } } num_output_units: 6 } }
  predictor { name: "Forward" attention_predictor { rnn_cell { lstm_cell { num_units: 5 } } num_attention_units: 4
    max_num_steps: 6 label_map { character_set { text_string: "a b c d e" } label_offset: 2 } } } } }
train_config { batch_size: 3 bias_grad_multiplier: 3 num_steps: 10
  freeze_variables: "LocalizationNet/Convnet/conv[12]/" freeze_variables: ".*/BidirectionalRnn_Branch_1_0/.*kernel"
  data_augmentation_options { resize_image { target_height: 40 target_width: 72 } }
  optimizer { momentum_optimizer { learning_rate { constant_learning_rate { learning_rate: 0.5 } }
    momentum_optimizer_value: 0 } use_moving_average: false } }
train_input_reader { tf_record_input_reader { input_path: "a.tfrecord" } }
)";

/// Whether the original would pick one of the variables that a parameter of ours holds: from the start of its name.
bool isPicked(const std::vector<aster::VariableName>& names, const std::string& parameter,
              const std::string& expression) {
    const std::regex regex(expression);
    return std::any_of(names.begin(), names.end(), [&](const aster::VariableName& name) {
        return name.parameter == parameter &&
               std::regex_search(name.variable, regex, std::regex_constants::match_continuous);
    });
}

std::set<std::string> namesOf(const torch::nn::Module& model) {
    std::set<std::string> names;
    for (const auto& item : model.named_parameters())
        names.insert(item.key());
    return names;
}

} // namespace

/// A39, A40 by an imported configuration: what it names in TensorFlow's words is what happens here.
class tst_AsterImported : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void initTestCase() { configureThreads(1); }

    void everyParameterHasANameThere_data() {
        QTest::addColumn<QString>("kind");
        for (const char* kind : {"resnet", "crnn", "gru", "peephole-lstm", "language", "lagging", "no rectifier",
                                 "no norm", "an attention a branch"})
            QTest::newRow(kind) << kind;
    }
    void everyParameterHasANameThere() {
        QFETCH(QString, kind);
        RunConfig config;
        config.model.type = "aster";
        config.model.aster = smallAster();
        AsterConfig& net = config.model.aster;
        if (kind == "crnn" || kind == "an attention a branch")
            net = smallBranchedAster();
        net.multiAttention = kind == "an attention a branch";
        if (kind == "gru" || kind == "peephole-lstm")
            net.encoderCell = net.decoderCell = kind.toStdString();
        net.languageUnits = kind == "language" ? 3 : 0;
        net.sync = kind != "lagging";
        if (kind == "no rectifier") {
            net.rectifier = false;
            net.height = 32;
        }
        if (kind == "no norm")
            config.model.norm = "none";
        const auto model = makeModel(config, {{}, 1}).value();
        std::set<std::string> named;
        std::set<std::pair<std::string, std::string>> pairs;
        for (const auto& [variable, parameter] : aster::variableNames(config.model, {"Forward", "Backward"})) {
            named.insert(parameter);
            QVERIFY2(pairs.emplace(variable, parameter).second, variable.c_str()); // none twice
        }
        QCOMPARE(named, namesOf(*model));
    }

    void freezesAndMultipliesWhatItNames() {
        const auto imported = importAster(kConfiguration, "small.prototxt");
        VERIFY_RESULT(imported);
        RunConfig config = imported->config;
        QCOMPARE(config.solve.biasMultiplier, 3.0);
        const auto model = makeModel(config, {{}, 1}).value();
        const auto names = aster::variableNames(config.model, {"Forward", ""});
        const auto parameters = parametersOf(*model, config.solve);
        total(model->losses(asterBatch())).backward();

        std::map<std::string, torch::Tensor> before, gradients;
        for (const Parameter& parameter : parameters) {
            before[parameter.name] = parameter.value.detach().clone();
            gradients[parameter.name] = parameter.value.grad().clone();
        }
        const auto report = runGradientPipeline(parameters, config.solve);
        QVERIFY(report.isFinite);
        config.solve.weightDecay = 0;
        makeOptimizer(config.solve, parameters)->step(config.solve.baseLr);

        int frozen = 0, multiplied = 0;
        for (const Parameter& parameter : parameters) {
            const std::string& name = parameter.name;
            if (isPicked(names, name, "LocalizationNet/Convnet/conv[12]/|.*/BidirectionalRnn_Branch_1_0/.*kernel")) {
                ++frozen;
                QVERIFY2(torch::equal(parameter.value, before[name]), name.c_str());
                continue;
            }
            const bool isBias = isPicked(names, name, ".*bias(?:es)?") || isPicked(names, name, ".*beta");
            multiplied += isBias;
            const torch::Tensor expected = before[name] - 0.5 * (isBias ? 3 : 1) * gradients[name];
            QVERIFY2(torch::allclose(parameter.value.detach(), expected, 1e-5, 1e-6), name.c_str());
        }
        QCOMPARE(frozen, 2 * 2 + 2 * 2); // two convolutions with their offsets; kernels in two parts, both ways
        QVERIFY(multiplied > 20);
    }
};

QTEST_GUILESS_MAIN(tst_AsterImported)
#include "tst_AsterImported.moc"
