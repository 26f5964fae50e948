#include "core/config/ConfigFile.h"
#include "tests/support/TestData.h"

using namespace trainyard;

class tst_Overrides : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void areTypedByTheSchema() {
        ParsedConfig parsed;
        applyOverrides(parsed,
                       {"solve.iterations=1e4", "solve.base_lr=1", "model.weights=/a b/c:d #e", "solve.steps=[1, 2]",
                        "train.devices=cpu,cpu", "data.classes={a: b}", "data.train=[{format: coco, path: x}]",
                        "model.crnn.alphabet=\"ab\\u00E9\"", "solve.freeze=", "train.best_metric="});
        QVERIFY2(parsed.isGood(), parsed.error().sentence().c_str());
        QCOMPARE(parsed.config.solve.iterations, std::int64_t(10000));
        QCOMPARE(parsed.config.solve.baseLr, 1.0);
        QCOMPARE(parsed.config.model.weights, std::string("/a b/c:d #e"));
        QVERIFY(parsed.config.solve.steps == (std::vector<std::int64_t>{1, 2}));
        QVERIFY(parsed.config.train.devices == (std::vector<std::string>{"cpu", "cpu"}));
        QCOMPARE(parsed.config.data.classes.at("a"), std::string("b"));
        QCOMPARE(parsed.config.data.train.at(0).path, std::string("x"));
        QCOMPARE(parsed.config.model.crnn.alphabet, std::string("abé"));
    }

    void reachOneEntry() {
        ParsedConfig parsed;
        applyOverrides(parsed,
                       {"data.train=[{path: a}, {path: b, format: coco}]", "data.train[0].path=/new place",
                        "data.train[1].batch_size=12", "data.validation=[{path: v}]", "data.validation[0].part=test"});
        QVERIFY2(parsed.isGood(), parsed.error().sentence().c_str());
        QCOMPARE(parsed.config.data.train.size(), std::size_t(2));
        QCOMPARE(parsed.config.data.train[0].path, std::string("/new place"));
        QCOMPARE(parsed.config.data.train[0].batchSize, 0);
        QCOMPARE(parsed.config.data.train[1].path, std::string("b"));
        QCOMPARE(parsed.config.data.train[1].format, std::string("coco"));
        QCOMPARE(parsed.config.data.train[1].batchSize, 12);
        QCOMPARE(parsed.config.data.validation[0].part, std::string("test"));
        QCOMPARE(parsed.places.at("data.train.1.batch_size").file, std::string("data.train[1].batch_size=12"));
    }

    void sayWhatIsWrongWithAnEntry_data() {
        QTest::addColumn<QString>("text");
        QTest::addColumn<QString>("sentence");
        QTest::newRow("beyond")
            << "data.train[2].path=x"
            << "data.train[2].path=x: data.train has 2 entries, numbered from 0: there is no number 2.";
        QTest::newRow("negative") << "data.train[-1].path=x"
                                  << "data.train has 2 entries, numbered from 0: there is no number -1.";
        QTest::newRow("none there") << "data.validation[0].path=x"
                                    << "data.validation has no entries, so there is no number 0.";
        QTest::newRow("no number") << "data.train[a].path=x"
                                   << "One entry is written data.train[0].path";
        QTest::newRow("no key") << "data.train[0]=x"
                                << "One entry is written data.train[0].path";
        QTest::newRow("misspelt key") << "data.train[0].pth=x"
                                      << "A dataset has no key pth; the nearest is path.";
        QTest::newRow("misspelt list") << "data.trian[0].path=x"
                                       << "There is no key data.trian; the nearest is data.train.";
        QTest::newRow("another list") << "solve.steps[0].path=1"
                                      << "solve.steps is no list of datasets; override the whole of it.";
        QTest::newRow("wrong value") << "data.train[1].batch_size=many"
                                     << "data.train.1.batch_size must be a whole number";
        QTest::newRow("wrong choice") << "data.train[1].format=cocoo"
                                      << "data.train.1.format must be one of";
        QTest::newRow("across fields") << "data.train[1].path="
                                       << "data.train[1].path=: data.train.1 needs a path";
    }
    void sayWhatIsWrongWithAnEntry() {
        QFETCH(QString, text);
        QFETCH(QString, sentence);
        ParsedConfig parsed;
        applyOverrides(parsed, {"data.train=[{path: a}, {path: b}]", text.toStdString()});
        QCOMPARE(parsed.problems.size(), std::size_t(1));
        const auto said = QString::fromStdString(parsed.error().sentence());
        QVERIFY2(said.contains(sentence), qPrintable(said));
        QCOMPARE(parsed.config.data.train[0].path, std::string("a"));
    }

    void sayWhatIsWrong_data() {
        QTest::addColumn<QString>("text");
        QTest::addColumn<QString>("sentence");
        QTest::newRow("misspelt") << "solve.base_lrr=1"
                                  << "solve.base_lrr=1: There is no key solve.base_lrr; the nearest is solve.base_lr.";
        QTest::newRow("wrong section")
            << "train.base_lr=1"
            << "train.base_lr=1: There is no key train.base_lr; base_lr belongs elsewhere: solve.base_lr.";
        QTest::newRow("wrong type")
            << "solve.iterations=soon"
            << "solve.iterations=soon: solve.iterations must be a whole number from 1 to 1000000000000, not soon.";
        QTest::newRow("out of range")
            << "solve.momentum=2"
            << "solve.momentum=2: solve.momentum must be a number of at least 0 and below 1, not 2.0.";
        QTest::newRow("no equals sign")
            << "solve.base_lr"
            << "solve.base_lr: An override is written key=value, like solve.iterations=1000.";
        QTest::newRow("no key") << "=3"
                                << "=3: An override is written key=value";
        QTest::newRow("no value") << "seed="
                                  << "seed=: seed has no value; it must be a whole number of at least 0.";
        QTest::newRow("section") << "solve=3"
                                 << "solve=3: solve is a section; override one of its keys.";
        QTest::newRow("broken list") << "solve.steps=[1"
                                     << "solve.steps=[1: This is not YAML";
        QTest::newRow("across fields") << "solve.steps=[2, 1]"
                                       << "solve.steps=[2, 1]: solve.steps must rise";
        QTest::newRow("dataset") << "data.train=[{pth: x}]"
                                 << "data.train=[{pth: x}]: A dataset has no key pth; the nearest is path.";
    }
    void sayWhatIsWrong() {
        QFETCH(QString, text);
        QFETCH(QString, sentence);
        ParsedConfig parsed;
        applyOverrides(parsed, {text.toStdString()});
        QCOMPARE(parsed.problems.size(), std::size_t(1));
        const auto said = QString::fromStdString(parsed.problems[0].sentence());
        QVERIFY2(said.startsWith(sentence), qPrintable(said));
        QVERIFY(parsed.config == RunConfig() || text.contains("steps=[2"));
    }

    void mendWhatDoesNotGoTogether() {
        auto parsed = parseConfig("data: {batch_size: 4}\ntrain: {devices: [cpu, cpu, cpu]}", "run.yaml");
        QCOMPARE(parsed.problems.size(), std::size_t(1));
        applyOverrides(parsed, {"data.batch_size=6"});
        QVERIFY2(parsed.isGood(), parsed.error().sentence().c_str());
        applyOverrides(parsed, {"train.devices=cpu,cpu,cpu,cpu"});
        QCOMPARE(parsed.problems.size(), std::size_t(1));
    }

    void keepWhatIsWrongInTheFile() {
        auto parsed = parseConfig("solve: {base_lr: fast}", "run.yaml");
        applyOverrides(parsed, {"solve.base_lr=0.1"});
        QCOMPARE(parsed.problems.size(), std::size_t(1));
        QCOMPARE(parsed.problems[0].line, 1);
    }

    void theLastOneCounts() {
        ParsedConfig parsed;
        applyOverrides(parsed, {"seed=3", "seed=4"});
        QCOMPARE(parsed.config.seed, std::uint64_t(4));
    }
};

QTEST_GUILESS_MAIN(tst_Overrides)
#include "tst_Overrides.moc"
