#include "tests/core/train/ToyTraining.h"
#include "tests/support/TestData.h"

#include <cmath>

using namespace trainyard;
using namespace trainyard::testing;

class tst_TrainingCommands : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void pausingChangesNothing() {
        ScratchFolder folder;
        ToyRun run(folder.path(), {.dropout = 0.3});
        run.sink.afterStep = [&](std::int64_t iteration) {
            if (iteration == 3 || iteration == 7)
                run.mailbox.put({Command::Kind::Pause});
        };
        int pauses = 0;
        run.sink.afterPhase = [&](const PhaseReport& report) {
            if (report.phase == Phase::Paused && ++pauses)
                run.mailbox.put({Command::Kind::Resume});
        };
        QCOMPARE(run.run().status, RunStatus::Finished);
        QCOMPARE(pauses, 2);
        QCOMPARE(run.sink.events(EventKind::Paused).size(), std::size_t(2));
        QCOMPARE(run.sink.events(EventKind::Continued).size(), std::size_t(2));
        QCOMPARE(run.sink.losses(), undisturbedLosses({.dropout = 0.3}));
    }

    void obeysWhilePaused() {
        ScratchFolder folder;
        ToyRun run(folder.path());
        run.sink.afterStep = [&](std::int64_t iteration) {
            if (iteration != 3)
                return;
            run.mailbox.put({Command::Kind::Pause});
            run.mailbox.put({Command::Kind::CheckpointNow});
            run.mailbox.put({Command::Kind::EvaluateNow});
            run.mailbox.put({Command::Kind::ChangeRate, 0.2});
            run.mailbox.put({Command::Kind::Stop});
        };
        const RunOutcome outcome = run.run();
        QCOMPARE(outcome.status, RunStatus::Stopped);
        QCOMPARE(outcome.iteration, std::int64_t(3));
        QCOMPARE(iterations(run.sink.checkpoints), (std::vector<std::int64_t>{3}));
        QCOMPARE(run.evaluator.iterations, (std::vector<std::int64_t>{3}));
        QVERIFY(run.catalog.list[0].isBest && run.catalog.list[0].metric.has_value());
        QCOMPARE(run.sink.events(EventKind::RateChanged).size(), std::size_t(1));
    }

    void stopsWithACheckpointAndGoesOnExactly() {
        ScratchFolder folder;
        ToyRun run(folder.path());
        run.sink.afterStep = [&](std::int64_t iteration) {
            if (iteration == 7)
                run.mailbox.put({Command::Kind::Stop});
        };
        const RunOutcome outcome = run.run();
        QCOMPARE(outcome.status, RunStatus::Stopped);
        QVERIFY(!outcome.error);
        QVERIFY(std::filesystem::exists(run.checkpoint(7)));
        QCOMPARE(run.sink.all.back().kind, EventKind::Stopped);
        ToyRun rest(folder.path());
        rest.parts.resumeFrom = run.checkpoint(7);
        QCOMPARE(rest.run().status, RunStatus::Finished);
        QCOMPARE(rest.sink.steps.front().iteration, std::int64_t(8));
        auto losses = run.sink.losses();
        for (const double loss : rest.sink.losses())
            losses.push_back(loss);
        QCOMPARE(losses, undisturbedLosses());
    }

    void stopsBeforeTheFirstIteration() {
        ScratchFolder folder;
        ToyRun run(folder.path());
        run.mailbox.put({Command::Kind::Stop});
        QCOMPARE(run.run().status, RunStatus::Stopped);
        QVERIFY(std::filesystem::exists(run.checkpoint(0)));
    }

    void changesTheRateAndKeepsItOnResume() {
        ScratchFolder folder;
        ToyRun run(folder.path());
        run.sink.afterStep = [&](std::int64_t iteration) {
            if (iteration == 4)
                run.mailbox.put({Command::Kind::ChangeRate, 0.3});
            if (iteration == 6)
                run.mailbox.put({Command::Kind::Stop});
        };
        (void)run.run();
        ToyRun rest(folder.path());
        rest.parts.resumeFrom = run.checkpoint(6);
        (void)rest.run();
        const auto rate = [](std::int64_t update) { return 0.05 * (1 + std::cos(M_PI * double(update) / 12)); };
        QVERIFY(std::abs(run.sink.steps[3].learningRate - rate(3)) < 1e-12);
        QVERIFY(std::abs(run.sink.steps[4].learningRate - 3 * rate(4)) < 1e-12);
        QVERIFY(std::abs(rest.sink.steps[0].learningRate - 3 * rate(6)) < 1e-12);
        QCOMPARE(run.sink.events(EventKind::RateChanged)[0].text,
                 std::string("Base learning rate 0.3 instead of 0.1."));
    }
};

QTEST_GUILESS_MAIN(tst_TrainingCommands)
#include "tst_TrainingCommands.moc"
