#include "core/config/imports/AsterMessages.h"
#include "core/config/imports/ConfigImport.h"
#include "core/config/imports/ProtobufText.h"
#include "tests/core/config/AsterDemo.h"
#include "tests/support/TestData.h"

#include <algorithm>

using namespace trainyard;
using namespace trainyard::testing;

namespace {

/// A message that can be changed and written.
struct Node {
    const protobuf::MessageType* type;
    struct Entry {
        const protobuf::FieldType* field;
        std::string text; ///< of a single value
        std::vector<Node> inner;
    };
    std::vector<Entry> entries = {};

    Entry* find(const std::string& name) {
        for (Entry& entry : entries)
            if (entry.field->name == name)
                return &entry;
        return nullptr;
    }
    std::string written() const {
        std::string text;
        for (const Entry& entry : entries)
            text += std::string(entry.field->name) +
                    (entry.inner.empty() ? ": " + entry.text : " { " + entry.inner.front().written() + "}") + "\n";
        return text;
    }
};

Node nodeOf(const protobuf::Message& message) {
    Node node{&message.type()};
    for (const protobuf::Value& value : message.values()) {
        Node::Entry entry{value.field, value.text(), {}};
        if (value.field->kind == protobuf::FieldType::Kind::Message)
            entry.inner.push_back(nodeOf(*std::get<std::shared_ptr<const protobuf::Message>>(value.content)));
        node.entries.push_back(std::move(entry));
    }
    return node;
}

Node demoNode() {
    std::vector<ConfigProblem> problems;
    return nodeOf(protobuf::parse(asterDemo(), "demo", aster::pipelineConfig(), problems));
}

/// The message at a path, made where it is missing; of a group of fields it is the one that counts then.
Node& messageAt(Node& top, const QStringList& path) {
    Node* node = &top;
    for (const QString& step : path) {
        const std::string name = step.toStdString();
        const protobuf::FieldType* field = node->type->find(name);
        if (*field->oneof != '\0')
            std::erase_if(node->entries, [&](const Node::Entry& other) {
                return other.field != field && std::string(other.field->oneof) == field->oneof;
            });
        if (!node->find(name))
            node->entries.push_back({field, "", {Node{field->message}}});
        node = &node->find(name)->inner.front();
    }
    return *node;
}

/// A value that the field neither has nor takes by default.
std::string otherValue(const protobuf::FieldType& field, const std::string& now) {
    switch (field.kind) {
    case protobuf::FieldType::Kind::Bool:
        return now == "true" ? "false" : "true";
    case protobuf::FieldType::Kind::Integer:
        return std::to_string(std::stoll(now) + 1);
    case protobuf::FieldType::Kind::Real:
        return std::to_string(std::stod(now) / 2 + 0.125);
    case protobuf::FieldType::Kind::Enum:
        return now == field.names[0] ? field.names[1] : field.names[0];
    default:
        return "\"other\"";
    }
}

void setOther(Node& node, const protobuf::FieldType& field) {
    Node::Entry* set = node.find(field.name);
    const std::string value = otherValue(field, set ? set->text : *field.defaultText ? field.defaultText : "0");
    if (*field.oneof != '\0')
        std::erase_if(node.entries, [&](const Node::Entry& other) {
            return other.field != &field && std::string(other.field->oneof) == field.oneof;
        });
    if (set && !field.isRepeated)
        node.find(field.name)->text = value;
    else
        node.entries.push_back({&field, value, {}});
}

void addRows(const protobuf::MessageType& type, const QStringList& path) {
    for (const protobuf::FieldType& field : type.fields)
        if (field.kind == protobuf::FieldType::Kind::Message)
            addRows(*field.message, path + QStringList{field.name});
        else
            QTest::newRow(qPrintable((path + QStringList{field.name}).join('.')))
                << path << QString::fromUtf8(field.name);
}

/// What nobody needs to be told: a predictor's name says nothing; dense layers are meant by the hyperparameters of
/// such; replicas update together and event files show the rectifier without being asked.
bool isDoneAnyway(const QStringList& path, const QString& field) {
    return (path.endsWith("predictor") && field == "name") || (path.endsWith("fc_hyperparams") && field == "op") ||
           (path.endsWith("spatial_transformer") && field == "summarize_activations") || field == "sync_replicas";
}

} // namespace

/// Nothing of a configuration is dropped in silence: each field of each message that may be in one, set to what is not
/// its default, changes what comes out, is noted, or is refused.
class TestAsterImportWhole : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void everyFieldCounts_data() {
        QTest::addColumn<QStringList>("path");
        QTest::addColumn<QString>("field");
        addRows(aster::pipelineConfig(), {});
    }
    void everyFieldCounts() {
        QFETCH(QStringList, path);
        QFETCH(QString, field);
        if (isDoneAnyway(path, field))
            return;
        Node before = demoNode(), after = demoNode();
        messageAt(before, path);
        Node& changed = messageAt(after, path);
        setOther(changed, *changed.type->find(field.toStdString()));
        const auto plain = importAster(before.written(), "a.prototxt"),
                   result = importAster(after.written(), "a.prototxt");
        if (!result)
            return; // a refusal is no silence
        const auto isAboutIt = [&](const ImportNote& note) {
            return note.key == field.toStdString() || path.contains(QString::fromStdString(note.key));
        };
        const bool isNoted = std::any_of(result->notes.begin(), result->notes.end(), isAboutIt);
        QVERIFY2(isNoted || !plain || !(result->config == plain->config), "dropped in silence");
    }

    // What the original does wrong, or not at all, by what its users meant.
    void mendsWhatIsFaulty() {
        const auto endless = importAster(replaced(asterDemo(), "num_steps: 1000", "num_steps: 0"), "a.prototxt");
        VERIFY_RESULT(endless);
        QCOMPARE(endless->config.solve.iterations, RunConfig().solve.iterations);
        QVERIFY(endless->yaml("a.prototxt").find("# num_steps: 0: ASTER stops with an error") != std::string::npos);
        const auto together = importAster(
            replaced(asterDemo(), "num_steps: 1000", "sync_replicas: true replicas_to_aggregate: 4 num_steps: 1000"),
            "a.prototxt");
        VERIFY_RESULT(together);
        QCOMPARE(together->config.solve.accumulate, std::int64_t(4));
        QCOMPARE(together->notes.size(), std::size_t(1)); // of the accumulation: the rest is as they meant it
        QCOMPARE(together->config.train.profileAt, std::int64_t(201)); // observed at 200, traced in the next step
        const auto apart =
            importAster(replaced(asterDemo(), "num_steps: 1000", "sync_replicas: false num_steps: 1000"), "a.prototxt");
        QVERIFY(apart->yaml("a.prototxt").find("Replicas always update together.") != std::string::npos);
    }

    // Hyperparameters without batch_norm have none: then nothing is normalised.
    void normalisesWhereTheOriginalDoes() {
        const std::string plain = "conv_hyperparams { regularizer { l2_regularizer { weight: 0 } } }",
                          normed = "conv_hyperparams { batch_norm { decay: 0.99 } }";
        const auto none = importAster(replaced(asterDemo(), "resnet { }", "resnet { " + plain + " }"), "a.prototxt");
        QCOMPARE(none->config.model.norm, std::string("none"));
        const auto all = importAster(replaced(asterDemo(), "resnet { }", "resnet { " + normed + " }"), "a.prototxt");
        QCOMPARE(all->config.model.norm, std::string("batch"));
        QVERIFY(all->notes.empty());
        const auto mixed = importAster(replaced(replaced(asterDemo(), "resnet { }", "resnet { " + normed + " }"),
                                                "stn_convnet { }", "stn_convnet { " + plain + " }"),
                                       "a.prototxt");
        QCOMPARE(mixed->config.model.norm, std::string("batch"));
        QCOMPARE(mixed->notes.size(), std::size_t(1));
        QCOMPARE(mixed->notes[0].key, std::string("conv_hyperparams"));
    }
};

QTEST_GUILESS_MAIN(TestAsterImportWhole)
#include "tst_AsterImportWhole.moc"
