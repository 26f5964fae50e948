#include "tests/core/train/ToyTraining.h"
#include "tests/support/TestData.h"

using namespace trainyard;
using namespace trainyard::testing;

class tst_CheckpointKeeper : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void pausesWhereTheDiskStaysFullAndGoesOn() {
        ScratchFolder folder;
        ToyRun run(folder.path());
        run.parts.config.train.checkpointEvery = 4;
        run.disk.failuresLeft = 3; // every attempt of one checkpoint
        run.disk.free = 0;
        run.sink.afterEvent = [&](const RunEvent& event) {
            if (event.kind == EventKind::Paused)
                run.disk.free = std::int64_t(1) << 40; // someone makes room
        };
        QCOMPARE(run.run().status, RunStatus::Finished);
        const auto pauses = run.sink.events(EventKind::Paused);
        QCOMPARE(pauses.size(), std::size_t(1));
        QVERIFY2(pauses[0].text.find("The disk is full (3.1 MB free).") != std::string::npos, pauses[0].text.c_str());
        QVERIFY(pauses[0].text.find("It needs 1.1 MB in " + folder.path().string()) != std::string::npos);
        QCOMPARE(run.sink.events(EventKind::Continued).size(), std::size_t(1));
        QCOMPARE(iterations(run.sink.checkpoints), (std::vector<std::int64_t>{4, 8, 12}));
        QCOMPARE(run.sink.losses(), undisturbedLosses());
    }

    void goesOnByCommandWhereTheDiskWasFull() {
        ScratchFolder folder;
        ToyRun run(folder.path());
        run.disk.failuresLeft = 3;
        run.disk.free = 0; // and stays so: only the command makes it try again
        run.sink.afterEvent = [&](const RunEvent& event) {
            if (event.kind == EventKind::Paused)
                run.mailbox.put({Command::Kind::Resume});
        };
        QCOMPARE(run.run().status, RunStatus::Finished);
        QCOMPARE(run.sink.events(EventKind::Continued).size(), std::size_t(1));
    }

    void failsWithTheSentenceWhereItCannotSaveAtTheStop() {
        ScratchFolder folder;
        ToyRun run(folder.path());
        run.disk.failuresLeft = 1000;
        run.disk.free = 0;
        run.sink.afterEvent = [&](const RunEvent& event) {
            if (event.kind == EventKind::Paused)
                run.mailbox.put({Command::Kind::Stop});
        };
        const RunOutcome outcome = run.run();
        QCOMPARE(outcome.status, RunStatus::Failed);
        QCOMPARE(outcome.error->kind, ErrorKind::Damaged);
        QCOMPARE(outcome.error->what, std::string("The disk is full (3.1 MB free)."));
    }
};

QTEST_GUILESS_MAIN(tst_CheckpointKeeper)
#include "tst_CheckpointKeeper.moc"
