#include "core/base/InputFile.h"
#include "core/config/imports/AsterMessages.h"
#include "core/config/imports/ConfigImport.h"
#include "core/config/imports/ProtobufText.h"
#include "tests/core/config/AsterDemo.h"
#include "tests/support/TestData.h"

#include <algorithm>

using namespace trainyard;
using namespace trainyard::testing;
using protobuf::MessageType;

namespace {

/// The type that a path of field names leads to: "train_config.optimizer".
const MessageType& typeAt(const QString& path) {
    const MessageType* type = &aster::pipelineConfig();
    for (const QString& name : path.split('.', Qt::SkipEmptyParts))
        type = type->find(name.toStdString())->message;
    return *type;
}

} // namespace

class TestAsterImport : public QObject {
    Q_OBJECT
private Q_SLOTS:
    /// A1: every default as the original's messages declare it.
    void knowsEveryDefault_data() {
        QTest::addColumn<QString>("path");
        QTest::addColumn<QString>("defaults"); // name=value …
        const QString model = "model.multi_predictors_recognition_model";
        const QString attention = model + ".predictor.attention_predictor";
        const QString hyper = model + ".spatial_transformer.fc_hyperparams";
        const QString step = "train_config.data_augmentation_options";
        const auto row = [](const QString& path, const char* defaults) {
            QTest::newRow(qPrintable(path)) << path << defaults;
        };
        row("train_config",
            "sync_replicas=false keep_checkpoint_every_n_hours=1000 gradient_clipping_by_norm=0.0 "
            "from_detection_checkpoint=false num_steps=0 startup_delay_steps=15.0 bias_grad_multiplier=0.0 "
            "replicas_to_aggregate=1 batch_queue_capacity=600 num_batch_queue_threads=8 prefetch_queue_capacity=10 "
            "save_checkpoint_secs=600 save_summaries_steps=100 fine_tune_checkpoint=\"\"");
        row("train_input_reader", "shuffle=true queue_capacity=2000 min_after_dequeue=1000 num_epochs=0 num_readers=8 "
                                  "load_instance_masks=false label_map_path=\"\"");
        row("train_input_reader.tf_record_input_reader", "input_path=\"\"");
        row("eval_config",
            "num_visualizations=10 only_visualize_incorrect=false num_examples=5000 eval_interval_secs=300 "
            "max_evals=0 save_graph=false metrics_set=\"recognition_metrics\" ignore_groundtruth=false "
            "use_moving_averages=false eval_instance_masks=false eval_with_lexicon=false export_path=\"\"");
        row(step + ".resize_image_random_method", "target_height=512 target_width=512");
        row(step + ".resize_image", "target_height=512 target_width=512 method=BILINEAR");
        row(step + ".normalize_image", "target_minval=0.0 target_maxval=1.0");
        row(step + ".random_pixel_value_scale", "minval=0.9 maxval=1.1");
        row(step + ".random_rgb_to_gray", "probability=0.1");
        row(step + ".random_adjust_brightness", "max_delta=0.2");
        row(step + ".random_adjust_contrast", "min_delta=0.8 max_delta=1.25");
        row(step + ".random_adjust_hue", "max_delta=0.02");
        row(step + ".random_adjust_saturation", "min_delta=0.8 max_delta=1.25");
        row(step + ".random_distort_color", "color_ordering=0");
        row(step + ".rgb_to_gray", "three_channels=false");
        row(step + ".string_filtering", "lower_case=false");
        row("train_config.optimizer", "use_moving_average=true moving_average_decay=0.9999");
        row("train_config.optimizer.rms_prop_optimizer", "momentum_optimizer_value=0.9 decay=0.9 epsilon=1.0");
        row("train_config.optimizer.momentum_optimizer", "momentum_optimizer_value=0.9");
        row("train_config.optimizer.adadelta_optimizer", "rho=0.95");
        const QString rate = "train_config.optimizer.adam_optimizer.learning_rate.";
        row(rate + "constant_learning_rate", "learning_rate=0.002");
        row(rate + "exponential_decay_learning_rate",
            "initial_learning_rate=0.002 decay_steps=4000000 decay_factor=0.95 staircase=true");
        row(rate + "manual_step_learning_rate", "initial_learning_rate=0.002");
        row(rate + "manual_step_learning_rate.schedule", "learning_rate=0.002");
        row(model, "keypoint_supervision=false");
        row(model + ".spatial_transformer",
            "localization_h=64 localization_w=128 output_h=32 output_w=100 margin_x=0.1 margin_y=0.1 "
            "num_control_points=20 "
            "init_bias_pattern=\"identity\" activation=\"none\" summarize_activations=false");
        row(model + ".feature_extractor", "summarize_activations=false");
        row(model + ".feature_extractor.convnet.crnn_net",
            "net_type=SINGLE_BRANCH summarize_activations=false tiny=false");
        row(model + ".feature_extractor.convnet.resnet",
            "net_type=SINGLE_BRANCH net_depth=RESNET_50 summarize_activations=false");
        row(model + ".feature_extractor.convnet.stn_convnet", "summarize_activations=false tiny=false");
        row(model + ".feature_extractor.bidirectional_rnn",
            "static=true num_output_units=0 summarize_activations=false");
        row(attention + ".rnn_cell.lstm_cell", "num_units=128 use_peepholes=false forget_bias=1.0");
        row(attention + ".rnn_cell.gru_cell", "num_units=128");
        row(model + ".predictor", "name=\"Predictor\"");
        row(attention,
            "num_attention_units=128 max_num_steps=40 multi_attention=false beam_width=1 reverse=false sync=true");
        row(attention + ".loss.sequence_cross_entropy_loss",
            "sequence_normalize=false sample_normalize=true weight=1.0");
        row(attention + ".loss.l2_regression_loss", "weight=1.0");
        row(attention + ".label_map", "label_offset=0 unk_label=0");
        row(hyper, "op=CONV activation=RELU");
        row(hyper + ".regularizer.l1_regularizer", "weight=1e-04");
        row(hyper + ".regularizer.l2_regularizer", "weight=1e-04");
        row(hyper + ".initializer.truncated_normal_initializer", "mean=0.0 stddev=1.0");
        row(hyper + ".initializer.variance_scaling_initializer", "factor=2.0 uniform=false mode=FAN_IN");
        row(hyper + ".initializer.orthogonal_initializer", "gain=1.0 seed=0");
        row(hyper + ".initializer.uniform_initializer", "minval=-0.1 maxval=0.1");
        row(hyper + ".batch_norm", "decay=0.999 center=true scale=false epsilon=0.001 train=true");
    }
    void knowsEveryDefault() {
        QFETCH(QString, path);
        QFETCH(QString, defaults);
        const MessageType& type = typeAt(path);
        const protobuf::Message empty(type);
        for (const QString& pair : defaults.split(' ')) {
            const std::string name = pair.section('=', 0, 0).toStdString();
            const protobuf::FieldType* field = type.find(name);
            QVERIFY2(field, name.c_str());
            protobuf::Value value{field, 0, 0, {}};
            switch (field->kind) {
            case protobuf::FieldType::Kind::Bool:
                value.content = empty.flag(name);
                break;
            case protobuf::FieldType::Kind::Integer:
                value.content = empty.integer(name);
                break;
            case protobuf::FieldType::Kind::Real:
                value.content = empty.real(name);
                break;
            default:
                value.content = empty.text(name);
            }
            QCOMPARE(QString::fromStdString(value.text()), pair.section('=', 1));
        }
    }

    void makesAnAster() {
        const auto imported = importAster(asterDemo(), "a.prototxt");
        VERIFY_RESULT(imported);
        const RunConfig& config = imported->config;
        const AsterConfig& net = config.model.aster;
        QCOMPARE(config.model.type, std::string("aster"));
        QCOMPARE(net.alphabet.size(), std::size_t(94)); // 10 digits, 26 and 26 letters, 32 marks
        QVERIFY(net.caseSensitive);
        QCOMPARE(net.height, std::int64_t(48));
        QCOMPARE(net.width, std::int64_t(160));
        QVERIFY(net.rectifier);
        QCOMPARE(net.localisationHeight, std::int64_t(32));
        QCOMPARE(net.rectifiedWidth, std::int64_t(100)); // the default
        QCOMPARE(net.marginX, 0.0);
        QCOMPARE(net.initialPoints, std::string("sine"));
        QCOMPARE(net.extractor, std::string("resnet"));
        QCOMPARE(net.layers, std::int64_t(2));
        QCOMPARE(net.hidden, std::int64_t(256));
        QCOMPARE(net.directions, std::string("both"));
        QCOMPARE(net.decoderUnits, std::int64_t(128));
        QCOMPARE(net.attentionUnits, std::int64_t(128)); // the default
        QCOMPARE(net.maxSteps, std::int64_t(40));        // the default
        QCOMPARE(net.beamWidth, std::int64_t(5));
        QCOMPARE(net.lossWeight, 0.5);
        QCOMPARE(config.solve.optimizer, std::string("adadelta"));
        QCOMPARE(config.solve.baseLr, 1.0);
        QCOMPARE(config.solve.rho, 0.95);
        QCOMPARE(config.solve.iterations, std::int64_t(1000));
        QCOMPARE(config.data.batchSize, std::int64_t(48));
        QCOMPARE(config.data.train.size(), std::size_t(2));
        QCOMPARE(config.data.train[1].path, std::string("b.tfrecord"));
        QCOMPARE(config.data.train[1].format, std::string("tfrecord"));
        QCOMPARE(config.data.train[1].batchSize, std::int64_t(16));
        QCOMPARE(config.data.workers, std::int64_t(4));
        QCOMPARE(config.data.prefetch, std::int64_t(10)); // the default
        QCOMPARE(config.train.summariseEvery, std::int64_t(50));
        QCOMPARE(config.train.keepEveryHours, 4.0);
        QCOMPARE(config.train.keepLast, std::int64_t(5));
        const ParsedConfig again = parseConfig(imported->yaml("a.prototxt"), "imported.yaml");
        QVERIFY2(again.isGood(), again.isGood() ? "" : again.error().sentence().c_str());
        QVERIFY(again.config == config);
    }

    void listsWhatHasNoCounterpart() {
        const auto imported =
            importAster(replaced(asterDemo(), "num_steps: 1000",
                                 "num_steps: 1000 freeze_variables: \"Conv.*\" fine_tune_checkpoint: \"x\" "
                                 "startup_delay_steps: 3 min_after: 1"),
                        "a.prototxt");
        QVERIFY(!imported); // a misspelt field is no counterpart either, but a fault
        const auto good =
            importAster(replaced(asterDemo(), "num_steps: 1000",
                                 "num_steps: 1000 freeze_variables: \"Conv.*\" fine_tune_checkpoint: \"x\" "
                                 "startup_delay_steps: 3"),
                        "a.prototxt");
        VERIFY_RESULT(good);
        for (const char* key : {"freeze_variables", "fine_tune_checkpoint", "startup_delay_steps"}) {
            const auto note = std::find_if(good->notes.begin(), good->notes.end(),
                                           [&](const ImportNote& one) { return one.key == key; });
            QVERIFY2(note != good->notes.end() && note->kind == ImportNote::Kind::NoCounterpart, key);
            QVERIFY(note->where.starts_with("a.prototxt:"));
            QVERIFY(good->yaml("a.prototxt").find(std::string("# ") + key) != std::string::npos);
        }
    }

    void refuses_data() {
        QTest::addColumn<QString>("before");
        QTest::addColumn<QString>("after");
        QTest::addColumn<QString>("part");
        QTest::newRow("deeper resnet") << "resnet { }"
                                       << "resnet { net_depth: RESNET_100 }"
                                       << "RESNET_50";
        QTest::newRow("no characters") << "character_set { built_in_set: ALLCASES_SYMBOLS }"
                                       << ""
                                       << "character set";
        QTest::newRow("pattern") << "\"sine\""
                                 << "\"circle\""
                                 << "cannot be \"circle\"";
        QTest::newRow("fewer sizes") << "[32, 16]"
                                     << "[32]"
                                     << "each of the 2 readers";
        QTest::newRow("no optimiser") << "optimizer { adadelta_optimizer { learning_rate { constant_learning_rate { "
                                         "learning_rate: 1 } } } }"
                                      << ""
                                      << "no optimiser";
        QTest::newRow("ctc")
            << "attention_predictor { rnn_cell { lstm_cell { num_units: 128 } } beam_width: 5\n    label_map "
               "{ character_set { built_in_set: ALLCASES_SYMBOLS } label_offset: 2 }\n    loss { "
               "sequence_cross_entropy_loss { weight: 0.5 } } }"
            << "ctc_predictor { }"
            << "attention_predictor";
        QTest::newRow("names") << "\"Backward\""
                               << "\"Forward\""
                               << "name of its own";
        QTest::newRow("directions") << "reverse: true"
                                    << ""
                                    << "two directions";
        QTest::newRow("schedule") << "constant_learning_rate { learning_rate: 1 }"
                                  << "manual_step_learning_rate { }"
                                  << "needs a schedule";
        QTest::newRow("layers differ") << "num_units: 256 } } num_output_units: 256 }\n    bidirectional_rnn"
                                       << "num_units: 128 } } num_output_units: 256 }\n    bidirectional_rnn"
                                       << "must be alike";
        QTest::newRow("directions differ") << "reverse: true"
                                           << "reverse: true max_num_steps: 30"
                                           << "max_num_steps must be the same in both directions";
        QTest::newRow("no expression") << "num_steps: 1000"
                                       << "num_steps: 1000 freeze_variables: \"Conv[\""
                                       << "\"Conv[\" is not a regular expression";
        QTest::newRow("no file") << "input_path: \"a.tfrecord\""
                                 << ""
                                 << "no input_path";
    }
    void refuses() {
        QFETCH(QString, before);
        QFETCH(QString, after);
        QFETCH(QString, part);
        QVERIFY(asterDemo().find(before.toStdString()) != std::string::npos);
        const auto imported =
            importAster(replaced(asterDemo(), before.toStdString(), after.toStdString()), "a.prototxt");
        QVERIFY(!imported);
        QCOMPARE(imported.error().kind, ErrorKind::Usage);
        QVERIFY2(QString::fromStdString(imported.error().sentence()).contains(part),
                 imported.error().sentence().c_str());
    }

    /// A1: the one that was published. Its rates change by hand, which needs a policy of that kind.
    void importsThePublishedConfiguration() {
        NEED_SHARED_DATA(configs, "configs");
        const auto text = readFile(configs / "aster/trainval.prototxt");
        VERIFY_RESULT(text);
        const auto imported = importAster(*text, "trainval.prototxt");
        const Field* policy = Schema::instance().find("solve.policy");
        if (std::find(policy->choices.begin(), policy->choices.end(), "manual") == policy->choices.end())
            QSKIP("solve.policy has no manual rates yet");
        VERIFY_RESULT(imported);
        const RunConfig& config = imported->config;
        QCOMPARE(config.solve.steps, (std::vector<std::int64_t>{600000, 800000, 1000000}));
        QCOMPARE(config.solve.iterations, std::int64_t(1200000));
        QCOMPARE(config.data.batchSize, std::int64_t(64));
        QCOMPARE(config.model.aster.maxSteps, std::int64_t(30));
        QCOMPARE(config.data.validation.front().path, std::string("data/ic03_test_full.tfrecord"));
        QVERIFY(parseConfig(imported->yaml("trainval.prototxt"), "imported.yaml").config == config);
    }
};

QTEST_GUILESS_MAIN(TestAsterImport)
#include "tst_AsterImport.moc"
