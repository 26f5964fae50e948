#include "app/engine/CheckpointFollower.h"
#include "tests/support/TestData.h"

using namespace trainyard;

namespace {

CheckpointRecord checkpointAt(std::int64_t iteration) {
    CheckpointRecord record;
    record.id = 100 + iteration;
    record.report.iteration = iteration;
    return record;
}

/// A run and a clock in memory: what comes when is written down before.
struct World {
    double now = 0;
    std::vector<std::pair<double, CheckpointRecord>> saved; ///< when, and which
    double endsAt = 100;
    double leavesAt = 1e9;

    FollowedRun run() {
        FollowedRun run;
        run.checkpoints = [this]() -> Result<std::vector<CheckpointRecord>> {
            std::vector<CheckpointRecord> there;
            for (const auto& [when, record] : saved)
                if (when <= now)
                    there.push_back(record);
            return there;
        };
        run.isTrained = [this] { return Result<bool>(now < endsAt); };
        run.seconds = [this] { return now; };
        run.sleep = [this](double seconds) {
            now += seconds;
            return now < leavesAt;
        };
        return run;
    }

    /// Iterations, and when each was given out, when an evaluation takes `evaluation` seconds.
    std::vector<std::pair<std::int64_t, double>> follow(double interval, double evaluation) {
        CheckpointFollower follower(run(), interval);
        std::vector<std::pair<std::int64_t, double>> given;
        while (const auto next = *follower.next()) {
            given.emplace_back(next->report.iteration, now);
            now += evaluation;
        }
        return given;
    }
};

using Given = std::vector<std::pair<std::int64_t, double>>;

} // namespace

class tst_CheckpointFollower : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void givesEachCheckpointOnce() {
        World world;
        world.saved = {{0, checkpointAt(4)}, {10, checkpointAt(8)}, {20, checkpointAt(12)}};
        QCOMPARE(world.follow(0, 1), (Given{{4, 0}, {8, 10}, {12, 20}}));
        QVERIFY(world.now >= 100); // waited until the run was over
    }

    // Rounds begin 30 s apart, however quick they are; none is left out.
    void keepsTheInterval() {
        World world;
        world.saved = {{0, checkpointAt(4)}, {10, checkpointAt(8)}, {20, checkpointAt(12)}};
        QCOMPARE(world.follow(30, 5), (Given{{4, 0}, {8, 30}, {12, 60}}));
    }

    // An evaluation that takes longer than the interval is followed by the next at once; after the end the rest is done.
    void catchesUpAfterTheEnd() {
        World world;
        world.saved = {{0, checkpointAt(4)}, {10, checkpointAt(8)}, {20, checkpointAt(12)}};
        world.endsAt = 21;
        QCOMPARE(world.follow(30, 50), (Given{{4, 0}, {8, 50}, {12, 100}}));
    }

    void leavesOutWhatIsGone() {
        World world;
        auto missing = checkpointAt(4), deleted = checkpointAt(8), abandoned = checkpointAt(20);
        missing.isMissing = deleted.isDeleted = abandoned.isAbandoned = true;
        world.saved = {{0, missing}, {0, deleted}, {0, abandoned}, {0, checkpointAt(12)}};
        QCOMPARE(world.follow(0, 1), (Given{{12, 0}}));
    }

    void leavesWhereSomebodyWantsTo() {
        World world;
        world.leavesAt = 5;
        QVERIFY(world.follow(0, 1).empty());
        QVERIFY(world.now < 10);
    }

    void anErrorEndsIt() {
        World world;
        FollowedRun run = world.run();
        run.checkpoints = [] { return Result<std::vector<CheckpointRecord>>(Error{ErrorKind::Damaged, "Gone.", "", ""}); };
        QVERIFY(!CheckpointFollower(run, 0).next());
    }
};

QTEST_GUILESS_MAIN(tst_CheckpointFollower)
#include "tst_CheckpointFollower.moc"
