#include "core/config/Nearest.h"
#include "core/config/Schema.h"
#include "tests/support/TestData.h"

#include <set>

using namespace trainyard;

namespace {

/// Counts the members of a plain struct: how many arguments its braces take.
struct Anything {
    template <class T>
    operator T() const;
};
template <class T, class... Arguments>
constexpr std::size_t memberCount() {
    if constexpr (requires { T{Arguments{}..., Anything{}}; })
        return memberCount<T, Arguments..., Anything>();
    else
        return sizeof...(Arguments);
}

template <class... Structs>
constexpr std::size_t membersOf() {
    return (memberCount<Structs>() + ...);
}

} // namespace

class tst_Schema : public QObject {
    Q_OBJECT
private Q_SLOTS:
    // RunConfig has five sections, ModelConfig, RcnnConfig, DataConfig and SolveConfig four, five, five and one more,
    // EvaluateConfig one and that three of one kind, which are no fields.
    void everyMemberIsDeclared() {
        constexpr auto members =
            membersOf<RunConfig, ModelConfig, CrnnConfig, AsterConfig, RetinaNetConfig, RcnnConfig, RpnConfig,
                      BoxHeadConfig, MaskHeadConfig, KeypointHeadConfig, RfcnConfig, DataConfig, ResizeConfig,
                      NormaliseConfig, TilesConfig, SplitConfig, RenderedWordsConfig, SolveConfig, WarmUpConfig,
                      TrainConfig, EvaluateConfig, AugmentConfig>() +
            3 * memberCount<ViewsConfig>();
        QCOMPARE(Schema::instance().fields().size(), members - 5 - 4 - 5 - 5 - 1 - 1 - 3);
        QCOMPARE(Schema::instance().datasetFields().size(), memberCount<DatasetConfig>());
    }

    void everyFieldIsWhole() {
        std::set<std::string> keys, helps;
        const RunConfig defaults;
        for (const auto& field : Schema::instance().fields()) {
            QVERIFY2(keys.insert(field.key).second, field.key.c_str());
            QVERIFY2(field.help.size() > 5 && field.help.back() == '.', field.key.c_str());
            QVERIFY2(field.read(defaults) == field.defaultValue, field.key.c_str());
            QVERIFY2(!field.objection(field.defaultValue), field.key.c_str());
            QVERIFY2(!field.allowed().empty(), field.key.c_str());
            QCOMPARE(Schema::instance().find(field.key), &field);
        }
    }

    // A field reads what it wrote, and writing it changes no other field.
    void everyFieldHasAPlaceOfItsOwn() {
        const RunConfig defaults;
        for (const auto& field : Schema::instance().fields()) {
            RunConfig config;
            std::visit(
                [&](auto value) {
                    using T = decltype(value);
                    if constexpr (std::is_same_v<T, bool>)
                        field.write(config, !value);
                    else if constexpr (std::is_arithmetic_v<T>)
                        field.write(config, T(value + 1));
                    else if constexpr (std::is_same_v<T, std::string>)
                        field.write(config, value + "x");
                    else if constexpr (std::is_same_v<T, std::map<std::string, std::string>>)
                        field.write(config, T{{"a", "b"}});
                    else {
                        value.emplace_back();
                        field.write(config, value);
                    }
                },
                field.defaultValue);
            for (const auto& other : Schema::instance().fields())
                QVERIFY2((other.read(config) != other.read(defaults)) == (&other == &field),
                         (field.key + " and " + other.key).c_str());
        }
    }

    void keysOfTheDesignExist_data() {
        QTest::addColumn<QString>("key");
        for (const char* key : {"seed",
                                "model.type",
                                "solve.iterations",
                                "solve.base_lr",
                                "solve.optimizer",
                                "solve.policy",
                                "data.workers",
                                "data.train",
                                "data.validation",
                                "train.device",
                                "train.precision",
                                "train.deterministic",
                                "train.checkpoint_every",
                                "train.evaluate_every",
                                "train.summarise_every",
                                "train.devices",
                                "data.classes",
                                "data.split.validation_share",
                                "data.max_pixels",
                                "solve.warm_up.iterations",
                                "model.retinanet.anchor_sizes"})
            QTest::newRow(key) << key;
    }
    void keysOfTheDesignExist() {
        QFETCH(QString, key);
        QVERIFY(Schema::instance().find(key.toStdString()));
    }

    void groupsAreTheFirstSection() {
        QCOMPARE(Schema::instance().find("solve.warm_up.iterations")->group(), std::string("solve"));
        QCOMPARE(Schema::instance().find("seed")->group(), std::string());
    }

    void wholeNumbersAreTakenForRealOnes() {
        const auto* field = Schema::instance().find("solve.base_lr");
        QVERIFY(!field->objection(std::int64_t(1)));
        RunConfig config;
        field->write(config, std::int64_t(1));
        QCOMPARE(config.solve.baseLr, 1.0);
        QVERIFY(field->objection(std::string("1")).has_value());
        QVERIFY(field->objection(std::nan("")).has_value());
    }

    void textsMustBeUtf8() {
        QVERIFY(Schema::instance().find("model.weights")->objection(std::string("a\xFF")).has_value());
        for (const char* bad : {"\xC0\x80", "\xED\xA0\x80", "\xF5\x80\x80\x80", "\xE2\x82"})
            QVERIFY(Schema::instance().find("model.weights")->objection(std::string(bad)).has_value());
        QVERIFY(!Schema::instance().find("model.weights")->objection(std::string("é漢😀")));
    }

    void distancesAreThoseOfDamerau_data() {
        QTest::addColumn<QString>("a");
        QTest::addColumn<QString>("b");
        QTest::addColumn<int>("distance");
        QTest::newRow("kitten") << "kitten"
                                << "sitting" << 3;
        QTest::newRow("swap") << "adma"
                              << "adam" << 1;
        QTest::newRow("nothing") << ""
                                 << "abc" << 3;
        QTest::newRow("ca and abc") << "ca"
                                    << "abc" << 3; // the optimal string alignment form, not the full one
    }
    void distancesAreThoseOfDamerau() {
        QFETCH(QString, a);
        QFETCH(QString, b);
        QFETCH(int, distance);
        QCOMPARE(int(editDistance(a.toStdString(), b.toStdString())), distance);
    }

    void nearestKeys_data() {
        QTest::addColumn<QString>("key");
        QTest::addColumn<QString>("nearest");
        QTest::newRow("slip") << "solve.base_rl"
                              << "solve.base_lr";
        QTest::newRow("section left out") << "base_lr"
                                          << "solve.base_lr";
        QTest::newRow("wrong section") << "train.batch_size"
                                       << "data.batch_size";
        QTest::newRow("both wrong") << "train.wokers"
                                    << "data.workers";
        QTest::newRow("none") << "qqqqqqqq"
                              << "";
    }
    void nearestKeys() {
        QFETCH(QString, key);
        QFETCH(QString, nearest);
        QCOMPARE(QString::fromStdString(Schema::instance().nearest(key.toStdString())), nearest);
    }
};

QTEST_GUILESS_MAIN(tst_Schema)
#include "tst_Schema.moc"
