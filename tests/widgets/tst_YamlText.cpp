#include "widgets/forms/YamlText.h"

#include <QtTest>

using namespace trainyard;

namespace {

const char* const kText = "# what this is\n"
                          "model:\n"
                          "  type: crnn # reads words\n"
                          "\n"
                          "# how it learns\n"
                          "solve:\n"
                          "  iterations: 300   # enough\n"
                          "  steps: [100, 200]\n"
                          "  warm_up:\n"
                          "    iterations: 50\n"
                          "train:\n"
                          "  checkpoint_every: 50\n";

QString changed(const char* text, const char* key, const char* value) {
    return QString::fromStdString(yaml::withKey(text, key, value));
}

} // namespace

class tst_YamlText : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void changesOneKeyAndNothingElse_data() {
        QTest::addColumn<QString>("key");
        QTest::addColumn<QString>("value");
        QTest::addColumn<QString>("before");
        QTest::addColumn<QString>("after");
        QTest::newRow("keeps the comment") << "solve.iterations"
                                           << "900"
                                           << "  iterations: 300   # enough"
                                           << "  iterations: 900   # enough";
        QTest::newRow("nested") << "solve.warm_up.iterations"
                                << "70"
                                << "    iterations: 50"
                                << "    iterations: 70";
        QTest::newRow("list") << "solve.steps"
                              << "[1, 2]"
                              << "  steps: [100, 200]"
                              << "  steps: [1, 2]";
        QTest::newRow("new key in its section") << "train.keep_last"
                                                << "5"
                                                << "  checkpoint_every: 50\n"
                                                << "  checkpoint_every: 50\n  keep_last: 5\n";
        QTest::newRow("new key in an inner section") << "solve.warm_up.method"
                                                     << "constant"
                                                     << "    iterations: 50\n"
                                                     << "    iterations: 50\n    method: constant\n";
    }
    void changesOneKeyAndNothingElse() {
        QFETCH(QString, key);
        QFETCH(QString, value);
        QFETCH(QString, before);
        QFETCH(QString, after);
        QString wanted = QString::fromLatin1(kText);
        QVERIFY(wanted.contains(before));
        wanted.replace(before, after);
        QCOMPARE(changed(kText, qPrintable(key), qPrintable(value)), wanted);
    }

    void makesSectionsThatAreMissing() {
        QCOMPARE(changed("", "solve.warm_up.iterations", "5"),
                 QStringLiteral("solve:\n  warm_up:\n    iterations: 5\n"));
        QCOMPARE(changed("solve:\n  gamma: 0.5\n", "data.batch_size", "4"),
                 QStringLiteral("solve:\n  gamma: 0.5\n\ndata:\n  batch_size: 4\n"));
        QCOMPARE(changed("# top\nsolve:\n  gamma: 0.5\n", "seed", "9"),
                 QStringLiteral("# top\nseed: 9\nsolve:\n  gamma: 0.5\n"));
    }

    void keepsTheIndentOfTheText() {
        QCOMPARE(changed("solve:\n    gamma: 0.5\n", "solve.power", "2.0"),
                 QStringLiteral("solve:\n    gamma: 0.5\n    power: 2.0\n"));
    }

    void replacesAListInBlockForm() {
        const char* text =
            "data:\n  train:\n  - format: voc\n    path: a\n  - {format: coco, path: b}\n  batch_size: 8\n";
        std::vector<DatasetConfig> entries(1);
        entries[0].format = "rendered-words";
        QCOMPARE(QString::fromStdString(yaml::withKey(text, "data.train", yaml::valueText(entries))),
                 QStringLiteral("data:\n  train:\n    - {format: rendered-words}\n  batch_size: 8\n"));
    }

    void doesNotTakeAHashInQuotesForAComment() {
        QCOMPARE(changed("model:\n  crnn:\n    alphabet: \"ab #c\"\n", "model.crnn.alphabet", "abc"),
                 QStringLiteral("model:\n  crnn:\n    alphabet: abc\n"));
    }

    void writesAnewWhatStandsInBraces() {
        const std::string text = "solve: {iterations: 40, gamma: 0.5}\n";
        const auto parsed = parseConfig(yaml::withKey(text, "solve.iterations", "41"), "x");
        QVERIFY(parsed.isGood());
        QCOMPARE(parsed.config.solve.iterations, std::int64_t(41));
        QCOMPARE(parsed.config.solve.gamma, 0.5);
    }

    void everyFieldCanBeWrittenAndReadBack() {
        for (const Field& field : Schema::instance().fields()) {
            const std::string text = yaml::withKey(kText, field.key, yaml::valueText(field.defaultValue));
            const auto before = parseConfig(kText, "x").config, after = parseConfig(text, "x").config;
            QVERIFY2(field.read(after) == field.defaultValue, field.key.c_str());
            for (const auto& difference : differences(before, after))
                QVERIFY2(difference.field->key == field.key, field.key.c_str());
        }
    }

    void removesAKeyAndTheSectionsItEmpties() {
        QCOMPARE(QString::fromStdString(yaml::withoutKey(
                     "solve:\n  warm_up:\n    iterations: 5\ntrain:\n  keep_last: 2\n", "solve.warm_up.iterations")),
                 QStringLiteral("train:\n  keep_last: 2\n"));
        QCOMPARE(QString::fromStdString(yaml::withoutKey(kText, "seed")), QString::fromLatin1(kText));
    }
};

QTEST_APPLESS_MAIN(tst_YamlText)
#include "tst_YamlText.moc"
