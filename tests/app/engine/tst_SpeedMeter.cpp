#include "app/engine/SpeedMeter.h"

#include <QtTest>

using namespace trainyard;

namespace {
/// A clock that the test turns.
struct FakeClock {
    double now = 0;
    std::function<double()> face() {
        return [this] { return now; };
    }
};

void iterate(SpeedMeter& meter, FakeClock& clock, std::int64_t iteration, double seconds) {
    clock.now += seconds;
    StepReport report;
    report.iteration = iteration;
    report.seconds.total = seconds;
    meter.onStep(report);
}

PhaseReport phase(Phase phase) {
    PhaseReport report;
    report.phase = phase;
    return report;
}
} // namespace

class TestSpeedMeter : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void knowsNothingBeforeTheFirstCountedIteration() {
        FakeClock clock;
        SpeedMeter meter(clock.face());
        meter.start(100);
        QCOMPARE(meter.iterationsPerSecond(), 0.0);
        QVERIFY(!meter.secondsLeft());
        for (int i = 1; i <= SpeedMeter::kSkipped; ++i)
            iterate(meter, clock, i, 5.0);
        QVERIFY(!meter.secondsLeft());
    }

    void leavesOutTheFirstSlowIterations() {
        FakeClock clock;
        SpeedMeter meter(clock.face());
        meter.start(100);
        for (int i = 1; i <= SpeedMeter::kSkipped; ++i)
            iterate(meter, clock, i, 30.0);
        for (int i = SpeedMeter::kSkipped + 1; i <= 20; ++i)
            iterate(meter, clock, i, 0.5);
        QCOMPARE(meter.iterationsPerSecond(), 2.0);
        QCOMPARE(*meter.secondsLeft(), 40.0); // 80 iterations at half a second
    }

    void keepsEvaluationsAndPausesApart_data() {
        QTest::addColumn<int>("kind");
        QTest::newRow("evaluation") << int(Phase::Evaluating);
        QTest::newRow("checkpoint") << int(Phase::Checkpointing);
        QTest::newRow("pause") << int(Phase::Paused);
    }
    void keepsEvaluationsAndPausesApart() {
        QFETCH(int, kind);
        FakeClock clock;
        SpeedMeter meter(clock.face());
        meter.start(100);
        for (int i = 1; i <= 20; ++i)
            iterate(meter, clock, i, 0.5);
        meter.onPhase(phase(Phase(kind)));
        clock.now += 1000;
        QCOMPARE(*meter.secondsLeft(), 40.0); // stands still meanwhile
        meter.onPhase(phase(Phase::Running));
        QCOMPARE(*meter.secondsLeft(), 40.0);
        iterate(meter, clock, 21, 0.5);
        QCOMPARE(meter.iterationsPerSecond(), 2.0);
        QCOMPARE(*meter.secondsLeft(), 39.5);
    }

    void countsDownWithinAnIterationAndStaysAboveZero() {
        FakeClock clock;
        SpeedMeter meter(clock.face());
        meter.start(21);
        for (int i = 1; i <= 20; ++i)
            iterate(meter, clock, i, 2.0);
        QCOMPARE(*meter.secondsLeft(), 2.0);
        clock.now += 1.5;
        QCOMPARE(*meter.secondsLeft(), 0.5);
        clock.now += 100; // the last iteration takes longer than foreseen
        QCOMPARE(*meter.secondsLeft(), 0.0);
        iterate(meter, clock, 21, 100);
        QCOMPARE(*meter.secondsLeft(), 0.0);
        iterate(meter, clock, 22, 100); // beyond the plan
        QCOMPARE(*meter.secondsLeft(), 0.0);
    }

    void followsTheNewestIterations() {
        FakeClock clock;
        SpeedMeter meter(clock.face());
        meter.start(1000);
        for (int i = 1; i <= 300; ++i)
            iterate(meter, clock, i, 1.0);
        for (int i = 301; i <= 300 + SpeedMeter::kWindow; ++i)
            iterate(meter, clock, i, 0.25);
        QCOMPARE(meter.iterationsPerSecond(), 4.0);
    }

    void countsThisSessionAlone() {
        FakeClock clock;
        SpeedMeter meter(clock.face());
        meter.start(1000);
        for (int i = 501; i <= 520; ++i) // resumed at 500
            iterate(meter, clock, i, 0.5);
        QCOMPARE(*meter.secondsLeft(), 240.0);
    }
};

QTEST_GUILESS_MAIN(TestSpeedMeter)
#include "tst_SpeedMeter.moc"
