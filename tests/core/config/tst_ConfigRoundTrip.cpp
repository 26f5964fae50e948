#include "core/base/Random.h"
#include "core/config/ConfigFile.h"
#include "tests/support/TestData.h"

#include <bit>
#include <cmath>

using namespace trainyard;

namespace {

/// Texts that YAML could take for something else, and anything else.
std::string randomText(Random& random) {
    static const std::vector<std::string> tricky = {"",
                                                    "true",
                                                    "null",
                                                    "~",
                                                    "5",
                                                    "1e3",
                                                    "0x10",
                                                    " a",
                                                    "a ",
                                                    "a: b",
                                                    "a #b",
                                                    "- a",
                                                    "[a",
                                                    "{a",
                                                    "*a",
                                                    "&a",
                                                    "!a",
                                                    "|",
                                                    ">",
                                                    "%a",
                                                    "@a",
                                                    "`a",
                                                    "'a'",
                                                    "\"a\"",
                                                    "a\nb",
                                                    "a\\nb",
                                                    "\t",
                                                    "\r\n",
                                                    "\x7F",
                                                    "\x01",
                                                    "---",
                                                    "...",
                                                    "? a",
                                                    "é漢字😀",
                                                    "\u0085",
                                                    "\u2028",
                                                    "\u2029",
                                                    "\uFEFF",
                                                    "\uFFFE",
                                                    "a\u0301",
                                                    "NaN",
                                                    ".inf",
                                                    "C:\\new\\table",
                                                    "=",
                                                    "<<"};
    if (random.chance(0.6))
        return tricky[std::size_t(random.integer(0, std::int64_t(tricky.size()) - 1))];
    std::string text;
    for (auto left = random.integer(1, 12); left > 0; --left)
        text += random.chance(0.3) ? "ü" : std::string(1, char(random.integer(1, 126)));
    return text;
}

double randomReal(Random& random, const FieldRule& rule) {
    if (rule.minimum && rule.maximum)
        return random.uniform(*rule.minimum, *rule.maximum) + (rule.minimumExcluded ? 1e-9 : 0);
    // Every exponent that a double has.
    const auto value = std::abs(std::bit_cast<double>(random.next()));
    return std::isfinite(value) && value > 0 ? value : 1.0;
}

std::int64_t randomInteger(Random& random, const FieldRule& rule) {
    return random.integer(std::int64_t(rule.minimum.value_or(-1e15)), std::int64_t(rule.maximum.value_or(1e15)));
}

std::vector<DatasetConfig> randomDatasets(Random& random) {
    std::vector<DatasetConfig> entries(std::size_t(random.integer(0, 3)));
    for (auto& entry : entries) {
        entry.format = random.chance(0.5) ? "auto" : "folder+labels";
        entry.path = std::string("p").append(randomText(random));
        entry.part = randomText(random);
        entry.annotations = randomText(random);
    }
    return entries;
}

FieldValue randomValue(Random& random, const FieldRule& rule) {
    const auto count = std::size_t(random.integer(0, 4));
    switch (rule.type) {
    case FieldType::Boolean:
        return random.chance(0.5);
    case FieldType::Integer:
        return randomInteger(random, rule);
    case FieldType::Real:
        return randomReal(random, rule);
    case FieldType::Text:
        return rule.choices.empty()
                   ? randomText(random)
                   : rule.choices[std::size_t(random.integer(0, std::int64_t(rule.choices.size()) - 1))];
    case FieldType::IntegerList: {
        std::vector<std::int64_t> list(count);
        for (auto& item : list)
            item = randomInteger(random, rule);
        return list;
    }
    case FieldType::RealList: {
        std::vector<double> list(count);
        for (auto& item : list)
            item = randomReal(random, rule);
        return list;
    }
    case FieldType::TextList: {
        std::vector<std::string> list(count);
        for (auto& item : list)
            item = randomText(random);
        return list;
    }
    case FieldType::TextMap:
        return std::map<std::string, std::string>{{randomText(random), randomText(random)}, {randomText(random), ""}};
    case FieldType::Datasets:
        return randomDatasets(random);
    }
    return {};
}

/// Whether `parsed` has nothing wrong but for what goes across fields, which random values do not care for.
bool isReadWhole(const ParsedConfig& parsed) {
    const auto across = validate(parsed.config);
    return parsed.problems.size() <= across.size();
}

} // namespace

class tst_ConfigRoundTrip : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void everyConfigurationReadsBackExactly() {
        Random random(20261130);
        for (int round = 0; round < 300; ++round) {
            RunConfig config;
            for (const auto& field : Schema::instance().fields())
                if (random.chance(0.7)) {
                    field.write(config, randomValue(random, field));
                    const auto objection = field.objection(field.read(config));
                    QVERIFY2(!objection, (field.key + ": " + objection.value_or("")).c_str());
                }
            for (const bool onlyChanged : {false, true}) {
                const auto text = toYaml(config, onlyChanged);
                const auto parsed = parseConfig(text, "random");
                for (const auto& difference : differences(config, parsed.config))
                    QFAIL((difference.field->key + ": " + difference.before + " became " + difference.after + "\n" +
                           parsed.error().sentence())
                              .c_str());
                QVERIFY(parsed.config == config);
                QVERIFY2(isReadWhole(parsed), parsed.error().sentence().c_str());
            }
        }
    }

    void everyValueReadsBackAsAnOverride() {
        Random random(7);
        for (int round = 0; round < 100; ++round)
            for (const auto& field : Schema::instance().fields()) {
                RunConfig config;
                field.write(config, randomValue(random, field));
                ParsedConfig parsed;
                const auto text = std::string(field.key).append("=").append(toText(field.read(config)));
                applyOverrides(parsed, {text});
                QVERIFY2(parsed.config == config, (text + "\n" + parsed.error().sentence()).c_str());
            }
    }

    void numbersAreShortest_data() {
        QTest::addColumn<double>("value");
        QTest::addColumn<QString>("text");
        QTest::newRow("tenth") << 0.1 << "0.1";
        QTest::newRow("whole") << 2.0 << "2.0";
        QTest::newRow("small") << 1e-8 << "1e-08";
        QTest::newRow("large") << 1e300 << "1e+300";
        QTest::newRow("no neighbour") << 0.1 + 0.2 << "0.30000000000000004";
        QTest::newRow("minus zero") << -0.0 << "-0.0";
    }
    void numbersAreShortest() {
        QFETCH(double, value);
        QFETCH(QString, text);
        QCOMPARE(QString::fromStdString(toText(FieldValue(value))), text);
    }

    void defaultsAreAnEmptyConfiguration() {
        QCOMPARE(toYaml(RunConfig(), true), std::string("{}\n"));
        const auto parsed = parseConfig("{}\n", "empty");
        QVERIFY(parsed.isGood() && parsed.config == RunConfig());
        RunConfig config;
        config.solve.warmUp.iterations = 5;
        QCOMPARE(toYaml(config, true), std::string("solve:\n  warm_up:\n    iterations: 5\n"));
    }
};

QTEST_GUILESS_MAIN(tst_ConfigRoundTrip)
#include "tst_ConfigRoundTrip.moc"
