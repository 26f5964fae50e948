#include "app/workbench/configure/ConfigDocument.h"
#include "app/workbench/configure/ConfigSummary.h"

#include <QtTest>

#include <cmath>

using namespace trainyard;

class tst_ConfigDocument : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void anEditOfTheFormChangesTheTextAndBack() {
        ConfigDocument document;
        document.begin(QStringLiteral("# mine\nsolve:\n  iterations: 10 # few\n"));
        document.setValue(QStringLiteral("solve.iterations"), QStringLiteral("20"));
        QCOMPARE(document.text(), QStringLiteral("# mine\nsolve:\n  iterations: 20 # few\n"));
        QCOMPARE(document.parsed().config.solve.iterations, std::int64_t(20));
        document.history()->undo();
        QCOMPARE(document.text(), QStringLiteral("# mine\nsolve:\n  iterations: 10 # few\n"));
        document.history()->redo();
        QCOMPARE(document.parsed().config.solve.iterations, std::int64_t(20));
    }

    void anEditOfTheTextChangesWhatItSays() {
        ConfigDocument document;
        document.begin(QStringLiteral("seed: 1\n"));
        QSignalSpy changes(&document, &ConfigDocument::changed);
        document.typeText(QStringLiteral("seed: 12\n"));
        QCOMPARE(changes.count(), 1);
        QCOMPARE(document.parsed().config.seed, std::uint64_t(12));
    }

    void typingOnIsOneStepOfTheHistory() {
        ConfigDocument document;
        document.begin({});
        for (const char* value : {"1", "12", "123"})
            document.setValue(QStringLiteral("solve.iterations"), QLatin1String(value));
        document.setValue(QStringLiteral("seed"), QStringLiteral("4"));
        QCOMPARE(document.history()->count(), 2);
        document.history()->undo();
        document.history()->undo();
        QVERIFY(document.text().isEmpty());

        document.begin(QStringLiteral("seed: \n"));
        document.typeText(QStringLiteral("seed: 1\n"));
        document.typeText(QStringLiteral("seed: 12\n"));
        document.typeText(QStringLiteral("seed: 12\n\n")); // white space begins a new step
        QCOMPARE(document.history()->count(), 2);
        document.history()->undo();
        QCOMPARE(document.text(), QStringLiteral("seed: 12\n"));
    }

    void editsOfFormAndTextShareOneHistory() {
        ConfigDocument document;
        document.begin(QStringLiteral("seed: 1\n"));
        document.typeText(QStringLiteral("seed: 1\ntrain:\n  keep_last: 2\n"));
        document.setValue(QStringLiteral("train.keep_last"), QStringLiteral("5"));
        document.reset(QStringLiteral("seed"));
        QCOMPARE(document.text(), QStringLiteral("train:\n  keep_last: 5\n"));
        document.history()->undo();
        document.history()->undo();
        QCOMPARE(document.text(), QStringLiteral("seed: 1\ntrain:\n  keep_last: 2\n"));
    }

    void problemsHaveTheirPlace() {
        ConfigDocument document;
        document.begin(QStringLiteral("solve:\n  iteratons: 10\n"));
        QVERIFY(!document.parsed().isGood());
        QCOMPARE(document.parsed().problems[0].line, 2);
        QCOMPARE(document.parsed().problems[0].column, 3);
        QVERIFY(document.isReadable());
    }

    void textThatIsNoYamlLeavesTheFormWhereItWas() {
        ConfigDocument document;
        document.begin(QStringLiteral("solve:\n  iterations: 77\n"));
        document.typeText(QStringLiteral("solve:\n  iterations: [77\n"));
        QVERIFY(!document.isReadable());
        QCOMPARE(document.parsed().config.solve.iterations, std::int64_t(77));
        const QString broken = document.text();
        document.setValue(QStringLiteral("seed"), QStringLiteral("3")); // must not destroy what is being typed
        QCOMPARE(document.text(), broken);
        document.history()->undo();
        QVERIFY(document.isReadable());
    }

    void theScheduleHasItsCorners() {
        SolveConfig solve;
        solve.iterations = 1000;
        solve.baseLr = 0.1;
        solve.policy = "steps";
        solve.steps = {333, 777};
        solve.gamma = 0.1;
        const auto points = schedulePoints(solve, 10);
        const auto rateAt = [&](double iteration) {
            for (const QPointF& point : points)
                if (point.x() == iteration)
                    return point.y();
            return std::nan("");
        };
        QVERIFY(std::abs(rateAt(332) - 0.1) < 1e-12);
        QVERIFY(std::abs(rateAt(333) - 0.01) < 1e-12);
        QVERIFY(std::abs(rateAt(777) - 0.001) < 1e-12);
        QCOMPARE(points.front().x(), 0.0);
        QCOMPARE(points.back().x(), 999.0);
    }

    void saysTheTotalBatch() {
        RunConfig config;
        config.data.batchSize = 32;
        config.solve.accumulate = 4;
        config.solve.iterations = 100;
        config.train.devices = {"cpu", "cpu"};
        const QString text = batchSummary(config);
        QVERIFY(text.contains(QStringLiteral("128 samples an update (16 × 2 devices × 4 batches)")));
        QVERIFY(text.contains(QStringLiteral("12\u202f800 samples")));
    }
};

QTEST_MAIN(tst_ConfigDocument)
#include "tst_ConfigDocument.moc"
