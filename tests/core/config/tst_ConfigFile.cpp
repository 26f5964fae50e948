#include "core/config/ConfigFile.h"
#include "tests/support/TestData.h"

using namespace trainyard;

namespace {

QString problemsOf(const ParsedConfig& parsed) {
    QStringList sentences;
    for (const auto& problem : parsed.problems)
        sentences << QString::fromStdString(problem.sentence());
    return sentences.join('\n');
}

} // namespace

class tst_ConfigFile : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void readsEveryKindOfValue() {
        const auto parsed = parseConfig("seed: 7\n"
                                        "model:\n"
                                        "  type: retinanet\n"
                                        "  weights: /data/a b.pth\n"
                                        "  retinanet: {anchor_sizes: [8, 16.5, 32, 64, 128], depth: 34}\n"
                                        "data:\n"
                                        "  train:\n"
                                        "    - {format: coco, path: 2017, batch_size: 4}\n"
                                        "    - path: other\n"
                                        "      part: train\n"
                                        "  classes: {RBC: cell, Platelets: }\n"
                                        "solve:\n"
                                        "  iterations: 1e3\n"
                                        "  base_lr: 1\n"
                                        "  nesterov: yes\n"
                                        "  steps: [10, 2e2, 300.0]\n"
                                        "train: {devices: [cpu, cpu]}\n"
                                        "evaluate:\n",
                                        "run.yaml");
        QVERIFY2(parsed.isGood(), qPrintable(problemsOf(parsed)));
        const auto& config = parsed.config;
        QCOMPARE(config.seed, std::uint64_t(7));
        QCOMPARE(config.model.weights, std::string("/data/a b.pth"));
        QVERIFY(config.model.retinanet.anchorSizes == (std::vector<double>{8, 16.5, 32, 64, 128}));
        QCOMPARE(config.data.train.size(), std::size_t(2));
        QCOMPARE(config.data.train[0].path, std::string("2017"));
        QCOMPARE(config.data.train[0].batchSize, std::int64_t(4));
        QCOMPARE(config.data.train[1].format, std::string("auto"));
        QVERIFY(config.data.classes == (std::map<std::string, std::string>{{"RBC", "cell"}, {"Platelets", ""}}));
        QCOMPARE(config.solve.iterations, std::int64_t(1000));
        QCOMPARE(config.solve.baseLr, 1.0);
        QVERIFY(config.solve.nesterov);
        QVERIFY(config.solve.steps == (std::vector<std::int64_t>{10, 200, 300}));
        QVERIFY(config.train.devices == (std::vector<std::string>{"cpu", "cpu"}));
        QCOMPARE(parsed.places.at("data.train.1.part").line, 10);
    }

    void keepsTheBaseWhereNothingIsSaid() {
        RunConfig base;
        base.solve.momentum = 0.5;
        const auto parsed = parseConfig("solve: {base_lr: 0.2}", "run.yaml", base);
        QCOMPARE(parsed.config.solve.momentum, 0.5);
        QCOMPARE(parsed.config.solve.baseLr, 0.2);
    }

    void saysWhatIsWrongAndWhere_data() {
        QTest::addColumn<QByteArray>("text");
        QTest::addColumn<QString>("sentence"); // the beginning, or with "…" in front a part of it
        const auto row = [](const char* name, const QByteArray& text, const QString& sentence) {
            QTest::newRow(name) << text << sentence;
        };
        row("misspelt key", "solve:\n  base_lrr: 1",
            "run.yaml:2:3: There is no key solve.base_lrr; the nearest is solve.base_lr.");
        row("misspelt section", "slove:\n  base_lr: 1", "run.yaml:1:1: There is no key slove; the nearest is solve.");
        row("misspelt inner section", "solve:\n  warmup: {iterations: 5}",
            "run.yaml:2:3: There is no key solve.warmup; the nearest is solve.warm_up.");
        row("part of a name", "solve: {lr: 1}",
            "run.yaml:1:9: There is no key solve.lr; the nearest is solve.base_lr.");
        row("wrong section", "train:\n  base_lr: 1",
            "run.yaml:2:3: There is no key train.base_lr; base_lr belongs elsewhere: solve.base_lr.");
        row("section in the wrong place", "warm_up: {iterations: 3}",
            "run.yaml:1:1: There is no key warm_up; warm_up belongs elsewhere: solve.warm_up.");
        row("no section", "iterations: 3",
            "run.yaml:1:1: There is no key iterations; iterations belongs elsewhere: solve.iterations or "
            "solve.warm_up.iterations.");
        row("nothing near", "solve:\n  xylophone: 3", "…solve has iterations, base_lr,");
        row("dotted key", "solve.base_lr: 3", "run.yaml:1:1: Write solve.base_lr with its sections nested");
        row("key twice", "seed: 1\nseed: 2", "run.yaml:2:1: seed is given twice; the first is on line 1.");
        row("section twice", "solve: {gamma: 1}\ntrain: {threads: 1}\nsolve: {power: 1}",
            "run.yaml:3:1: solve is given twice; the first is on line 1.");
        row("key that is a list", "? [a, b]\n: 1", "run.yaml:1:3: A key must be a word.");
        row("text for a number", "solve:\n  base_lr: fast",
            "run.yaml:2:12: solve.base_lr must be a number above 0 and at most 1000, not fast.");
        row("quoted number", "seed: \"5\"", "run.yaml:1:7: seed must be a whole number of at least 0, not \"5\".");
        row("fraction for a whole number", "seed: 1.5",
            "run.yaml:1:7: seed must be a whole number of at least 0, not \"1.5\".");
        row("beyond 64 bits", "seed: 99999999999999999999", "run.yaml:1:7: seed must be a whole number");
        row("out of range", "data: {batch_size: 0}",
            "run.yaml:1:20: data.batch_size must be a whole number from 1 to 1000000, not 0.");
        row("excluded bound", "solve: {momentum: 1}",
            "run.yaml:1:19: solve.momentum must be a number of at least 0 and below 1, not 1.0.");
        row("infinity", "solve: {base_lr: .inf}", "run.yaml:1:18: solve.base_lr must be a number");
        row("not a number", "solve: {clip_norm: nan}", "run.yaml:1:20: solve.clip_norm must be a number");
        row("unknown choice", "solve: {optimizer: adm}",
            "run.yaml:1:20: solve.optimizer must be one of sgd, adam, adadelta, rmsprop, nadam, not adm (the nearest is adam).");
        row("unknown model", "model: {type: yolo}",
            "run.yaml:1:15: model.type must be one of aster, crnn, retinanet, not yolo.");
        row("not a truth", "train: {deterministic: 3}",
            "run.yaml:1:24: train.deterministic must be true or false, not \"3\".");
        row("scalar for a list", "solve: {steps: 3}",
            "run.yaml:1:16: solve.steps must be a list of whole numbers, each of at least 1, not \"3\".");
        row("list item of a wrong type", "solve:\n  steps:\n    - 5\n    - x", "run.yaml:4:7: solve.steps must be");
        row("list item out of range", "solve:\n  steps: [0, 5]", "run.yaml:2:11: solve.steps must be");
        row("map for a scalar", "seed: {a: 1}", "run.yaml:1:7: seed must be a whole number of at least 0, not a map.");
        row("no value", "solve:\n  base_lr:\n  gamma: 1",
            "run.yaml:2:3: solve.base_lr has no value; it must be a number above 0");
        row("scalar for a section", "solve: 3", "run.yaml:1:8: solve is a section: its keys stand below it.");
        row("dataset that is a text", "data: {train: [here]}", "run.yaml:1:16: data.train.0 must be a map");
        row("datasets that are a map", "data: {train: {path: x}}",
            "run.yaml:1:15: data.train must be a list of datasets, like [{format: coco, path: FOLDER}], not a map.");
        row("misspelt dataset key", "data:\n  train:\n    - pth: x\n      format: coco",
            "run.yaml:3:7: A dataset has no key pth; the nearest is path.");
        row("unknown format", "data:\n  train:\n    - {path: x}\n    - {path: y, format: cocoo}",
            "run.yaml:4:25: data.train.1.format must be one of auto, coco,");
        row("negative share of a batch", "data: {validation: [{path: x, batch_size: -1}]}",
            "run.yaml:1:43: data.validation.0.batch_size must be");
        row("class twice", "data: {classes: {a: b, a: c}}", "run.yaml:1:24: data.classes names a twice.");
        row("not YAML", "solve: [1, 2", "run.yaml:1:1: This is not YAML: end of sequence flow not found.");
        row("quotation mark left open", "model:\n  weights: \"a.pth\n", "run.yaml:2:18: This is not YAML");
        row("bad indentation", "solve:\n  gamma: 1\n momentum: 0", "…This is not YAML");
        row("two documents", "seed: 1\n---\nseed: 2", "run.yaml:2:1: This is not YAML: a second document begins here");
        row("text after a document", "seed: 1\n]\n", "run.yaml:2:1: This is not YAML: illegal flow end.");
        row("comma alone", " ,\nseed: 1", "run.yaml:1:2: This is not YAML: this belongs to nothing before it.");
        row("a list", "- 1\n- 2", "run.yaml:1:1: A configuration is made of sections");
        row("a word", "crnn", "run.yaml:1:1: A configuration is made of sections");
        row("empty", "", "run.yaml: This holds no configuration");
        row("comments only", "# nothing\n", "run.yaml: This holds no configuration");
        row("binary", QByteArray("\x89PNG\r\n\x1a\n\0\0\0", 11), "run.yaml: This is not a text in UTF-8.");
        row("other encoding", "seed: \xE9", "run.yaml: This is not a text in UTF-8.");
        row("deep nesting", QByteArray("seed: ") + QByteArray(200000, '['), "…This is not YAML");
        row("deep map", QByteArray(100000, '{'), "…This is not YAML");
        row("huge", QByteArray(2000000, '#'), "run.yaml: This is larger than a configuration can be");
        row("alias without anchor", "seed: *nothing", "…This is not YAML");
        row("alias to itself", "solve: &s\n  warm_up: *s", "…There is no key solve.warm_up.warm_up");
        row("deep expression", "data: {split: {group: \"" + QByteArray(100000, '(') + "\"}}",
            "…data.split.group: An expression has more than 500 characters.");
    }
    void saysWhatIsWrongAndWhere() {
        QFETCH(QByteArray, text);
        QFETCH(QString, sentence);
        const auto parsed = parseConfig(text.toStdString(), "run.yaml");
        QVERIFY(!parsed.isGood());
        const auto said = problemsOf(parsed);
        QVERIFY2(sentence.startsWith(QStringLiteral("…")) ? said.contains(sentence.mid(1)) : said.startsWith(sentence),
                 qPrintable(said.left(500)));
        QCOMPARE(exitCode(parsed.error().kind), 2);
    }

    void reportsAllProblemsAtOnceInTheirOrder() {
        const auto parsed = parseConfig("solve:\n  base_lr: x\n  gama: 1\nseed: y\ndata:\n  batch_size: 3\n"
                                        "train:\n  devices: [cpu, cpu]\n",
                                        "run.yaml");
        QCOMPARE(parsed.problems.size(), std::size_t(4));
        const int lines[] = {2, 3, 4, 6}; // the last one goes across fields
        for (std::size_t i = 0; i < 4; ++i)
            QCOMPARE(parsed.problems[i].line, lines[i]);
        QCOMPARE(parsed.error().sentence().find('\n') != std::string::npos, true);
    }

    void anUnreadFieldCausesNoFurtherProblem() {
        const auto parsed = parseConfig("data:\n  batch_size: many\n  train: [{path: x, batch_size: 64}]", "run.yaml");
        QCOMPARE(parsed.problems.size(), std::size_t(1));
    }

    void aThousandProblemsAreCutOff() {
        std::string text = "solve:\n  steps:\n";
        for (int i = 0; i < 1000; ++i)
            text += "    - x\n";
        const auto parsed = parseConfig(text, "run.yaml");
        QCOMPARE(parsed.problems.size(), std::size_t(101));
    }

    // Nine levels of ten aliases each would be a thousand million nodes if they were copied.
    void aliasBombsEndAtOnce() {
        std::string text = "a: &a [x, x, x, x, x, x, x, x, x, x]\n";
        for (char name = 'b'; name <= 'j'; ++name) {
            text += std::string(1, name) + ": &" + name + " [";
            for (int i = 0; i < 10; ++i)
                text += std::string(i ? ", " : "") + "*" + char(name - 1);
            text += "]\n";
        }
        text += "data: {train: *j, classes: *j}\nsolve: {freeze: *j}\n";
        const auto parsed = parseConfig(text, "run.yaml");
        QVERIFY(parsed.problems.size() > 10 && parsed.problems.size() <= 101);
    }

    void listsWhatDiffers() {
        RunConfig before, after;
        QVERIFY(differences(before, after).empty());
        after.solve.baseLr = 0.5;
        after.data.train.push_back({"coco", "here", "", "", 3});
        const auto found = differences(before, after);
        QCOMPARE(found.size(), std::size_t(2));
        QCOMPARE(found[0].field->key, std::string("data.train"));
        QCOMPARE(found[0].before, std::string("[]"));
        QCOMPARE(found[0].after, std::string("[{format: coco, path: here, batch_size: 3}]"));
        QCOMPARE(found[1].before + " " + found[1].after, std::string("0.01 0.5"));
    }
};

QTEST_GUILESS_MAIN(tst_ConfigFile)
#include "tst_ConfigFile.moc"
