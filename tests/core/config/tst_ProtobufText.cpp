#include "core/config/imports/AsterMessages.h"
#include "core/config/imports/ProtobufText.h"
#include "tests/support/TestData.h"

using namespace trainyard;
using protobuf::Message;

namespace {

struct Parsed {
    Message message;
    std::vector<ConfigProblem> problems;
};

Parsed parsed(const std::string& text) {
    std::vector<ConfigProblem> problems;
    Message message = protobuf::parse(text, "a.prototxt", aster::pipelineConfig(), problems);
    return {std::move(message), std::move(problems)};
}

} // namespace

class TestProtobufText : public QObject {
    Q_OBJECT
private Q_SLOTS:
    /// The forms that the format's specification allows.
    void readsEveryForm() {
        const auto [message, problems] = parsed(
            "# a comment\n"
            "train_config: { batch_size: [32, 0x10] batch_size: 010, num_steps: 12; # octal\n"
            "  optimizer <\n"
            "    rms_prop_optimizer { decay: 5e-1f epsilon: .25 momentum_optimizer_value: -1 learning_rate {} } >\n"
            "  sync_replicas: t fine_tune_checkpoint: \"a\\n\\\"b\\\"\\x41\\101\" 'c'\n"
            "  data_augmentation_options { resize_image { method: AREA } }\n"
            "  data_augmentation_options { resize_image { method: 4 } }\n"
            "  freeze_variables: [\"a\", \"b\"]\n"
            "}");
        QVERIFY2(problems.empty(), problems.empty() ? "" : problems[0].sentence().c_str());
        const Message& training = message.message("train_config");
        QCOMPARE(training.all("batch_size").size(), std::size_t(3));
        QCOMPARE(std::get<std::int64_t>(training.all("batch_size")[1]->content), std::int64_t(16));
        QCOMPARE(std::get<std::int64_t>(training.all("batch_size")[2]->content), std::int64_t(8));
        QCOMPARE(training.integer("num_steps"), std::int64_t(12));
        const Message& rmsProp = training.message("optimizer").message("rms_prop_optimizer");
        QCOMPARE(rmsProp.real("decay"), 0.5);
        QCOMPARE(rmsProp.real("epsilon"), 0.25);
        QCOMPARE(rmsProp.real("momentum_optimizer_value"), -1.0);
        QCOMPARE(training.flag("sync_replicas"), true);
        QCOMPARE(training.text("fine_tune_checkpoint"), std::string("a\n\"b\"AAc"));
        QCOMPARE(training.messages("data_augmentation_options")[0]->message("resize_image").text("method"),
                 std::string("AREA"));
        QCOMPARE(training.messages("data_augmentation_options")[1]->message("resize_image").text("method"),
                 std::string("NEAREST_NEIGHBOR"));
        QCOMPARE(training.all("freeze_variables").size(), std::size_t(2));
    }

    void namesWhatIsWrongAndWhere_data() {
        QTest::addColumn<QString>("text");
        QTest::addColumn<QString>("sentence");
        const auto row = [](const char* name, const char* text, const char* sentence) {
            QTest::newRow(name) << text << sentence;
        };
        row("misspelt field", "train_config {\n  num_step: 3\n}",
            "a.prototxt:2:3: TrainConfig has no field num_step; did you mean num_steps?");
        row("text for a number", "train_config { num_steps: \"3\" }",
            "a.prototxt:1:27: num_steps must be a whole number of at least 0, not 3.");
        row("negative", "train_config { num_steps: -3 }",
            "a.prototxt:1:28: num_steps must be a whole number of at least 0, not -3.");
        row("unknown name", "train_config { data_augmentation_options { resize_image { method: CUBIC } } }",
            "a.prototxt:1:67: method must be one of AREA, BICUBIC, BILINEAR and NEAREST_NEIGHBOR, not CUBIC.");
        row("a value for a group", "train_config: 3",
            "a.prototxt:1:15: train_config must be a group in braces, not 3.");
        row("a group for a value", "train_config { num_steps { x: 1 } }",
            "a.prototxt:1:16: num_steps must be a whole number of at least 0, not a group.");
        row("given twice", "train_config { num_steps: 3\nnum_steps: 4 }",
            "a.prototxt:2:1: num_steps is given twice; the first is on line 1.");
        row("two of one group", "train_config { optimizer { adam_optimizer {} nadam_optimizer {} } }",
            "a.prototxt:1:46: nadam_optimizer cannot stand beside adam_optimizer: only one of them can be chosen.");
        row("not closed", "train_config {",
            "a.prototxt:1:15: The file ends where the name of a field or \"}\" should follow.");
        row("no colon", "train_config { num_steps 3 }",
            "a.prototxt:1:26: Here should follow \":\" or \"{\", not \"3\".");
        row("open text", "train_config { fine_tune_checkpoint: \"a\n}",
            "a.prototxt:1:38: A text ends with its line; its closing quote is missing.");
        row("a list of one", "train_config { num_steps: [3] }",
            "a.prototxt:1:16: num_steps takes a single value, not a list.");
    }
    void namesWhatIsWrongAndWhere() {
        QFETCH(QString, text);
        QFETCH(QString, sentence);
        const auto problems = parsed(text.toStdString()).problems;
        QCOMPARE(problems.size(), std::size_t(1));
        QCOMPARE(QString::fromStdString(problems[0].sentence()), sentence);
    }

    void reportsAllFieldsTogether() {
        const auto problems =
            parsed("model { x: 1 y { z: 2 } }\ntrain_config { num_steps: a sync_replicas: 7 }").problems;
        QCOMPARE(problems.size(), std::size_t(4));
    }

    void survivesAnything() {
        const std::string nested = "train_config {";
        std::string deep;
        for (int i = 0; i < 100000; ++i)
            deep += "x {";
        QVERIFY(!parsed(deep).problems.empty());
        const std::string whole = "train_config { num_steps: 3 fine_tune_checkpoint: \"a\\n\" batch_size: [1, 2] }";
        for (std::size_t i = 0; i < whole.size(); ++i) {
            std::string changed = whole;
            changed[i] = char(changed[i] ^ 0x15);
            (void)parsed(changed);
            (void)parsed(whole.substr(0, i));
        }
    }
};

QTEST_GUILESS_MAIN(TestProtobufText)
#include "tst_ProtobufText.moc"
