#include "ProjectFixture.h"

#include "core/project/RunRecorder.h"
#include "core/project/Series.h"

#include <csignal>
#include <fstream>
#include <limits>
#include <sqlite3.h>
#include <sys/resource.h>

using namespace trainyard;
using testing::aRun;
using testing::inChild;
using testing::makeProject;

namespace {

constexpr auto kFirst = std::numeric_limits<std::int64_t>::min();
constexpr auto kLast = std::numeric_limits<std::int64_t>::max();

StepReport stepAt(std::int64_t iteration) {
    StepReport report;
    report.iteration = iteration;
    report.loss = 1.0 / double(iteration);
    report.losses = {{"classification", 0.75 / double(iteration)}, {"box", 0.25 / double(iteration)}};
    report.learningRate = 0.01;
    report.gradientNorm = 2;
    report.seconds.total = 0.5;
    report.memoryBytes = 1 << 20;
    return report;
}

std::unique_ptr<RunRecorder> recorderOf(const std::filesystem::path& project, std::int64_t from = 0) {
    auto recorder = RunRecorder::start(project, 1, from);
    if (!recorder)
        qFatal("%s", recorder.error().sentence().c_str());
    return std::move(*recorder);
}

std::vector<SeriesPoint> pointsOf(const std::filesystem::path& runFolder, const std::string& name) {
    auto reader = SeriesReader::open(runFolder);
    if (!reader)
        qFatal("%s", reader.error().sentence().c_str());
    const auto points = (*reader)->points(name, kFirst, kLast);
    if (!points)
        qFatal("%s", points.error().sentence().c_str());
    return *points;
}

/// A file that cannot be written while this lives: another connection holds its write lock.
class Blockade {
public:
    explicit Blockade(const std::filesystem::path& file) {
        sqlite3_open(file.c_str(), &m_handle);
        sqlite3_exec(m_handle, "BEGIN IMMEDIATE", nullptr, nullptr, nullptr);
    }
    ~Blockade() { sqlite3_close(m_handle); }

private:
    sqlite3* m_handle = nullptr;
};

} // namespace

class tst_RunRecorder : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void writesEverythingReported() {
        testing::ScratchFolder folder;
        const auto project = makeProject(folder.path());
        const auto run = project->createRun(aRun());
        const auto lock = RunLock::acquire(folder.path() / run->folder);
        {
            const auto recorder = recorderOf(folder.path());
            recorder->onPhase({Phase::Preparing, "scanning data", 0, 10, 0, 3000});
            for (std::int64_t i = 1; i <= 3000; ++i)
                recorder->onStep(stepAt(i));
            recorder->onEvaluation({3000, {{"word_accuracy", 0.5}}, 2, 100, "test"});
            recorder->onStatistics({3000, {{"conv1.weight", {}, {}, 0.001}}});
            recorder->onEvent({EventKind::Warning, 5, 1, "An image is damaged."});
            VERIFY_RESULT(recorder->drain());
            QCOMPARE(recorder->trouble(), std::string());
            QCOMPARE(project->run(1)->status, RunStatus::Running);
            QCOMPARE(project->run(1)->iteration, 3000);
            QCOMPARE(project->run(1)->iterations, 3000);
            QCOMPARE(project->run(1)->seconds, 1500.0);
            recorder->onEvent({EventKind::Finished, 3000, 2, ""});
        }
        QCOMPARE(project->run(1)->status, RunStatus::Finished);
        QCOMPARE(project->events(1)->size(), std::size_t(2));
        QCOMPARE(project->evaluations(1)->front().report.metrics.front().second, 0.5);
        const auto loss = pointsOf(folder.path() / run->folder, "loss");
        QCOMPARE(loss.size(), std::size_t(3000));
        for (std::int64_t i = 1; i <= 3000; ++i)
            QCOMPARE(loss[std::size_t(i) - 1].value, 1.0 / double(i));
        for (const char* name : {"loss/classification", "loss/box", "learning_rate", "gradient_norm", "seconds/total",
                                 "seconds/data_wait", "memory"})
            QCOMPARE(pointsOf(folder.path() / run->folder, name).size(), std::size_t(3000));
        QCOMPARE(pointsOf(folder.path() / run->folder, "metric/word_accuracy").front().value, 0.5);
        QCOMPARE((*SeriesReader::open(folder.path() / run->folder))->statistics(3000)->parameters.front().name,
                 std::string("conv1.weight"));
    }

    void statusFollowsThePhases() {
        testing::ScratchFolder folder;
        const auto project = makeProject(folder.path());
        const auto run = project->createRun(aRun());
        const auto lock = RunLock::acquire(folder.path() / run->folder);
        const auto recorder = recorderOf(folder.path());
        QCOMPARE(project->run(1)->status, RunStatus::Preparing);
        for (const auto& [phase, status] : {std::pair(Phase::Running, RunStatus::Running),
                                            {Phase::Paused, RunStatus::Paused},
                                            {Phase::Running, RunStatus::Running},
                                            {Phase::Checkpointing, RunStatus::Running},
                                            {Phase::Stopping, RunStatus::Stopping}}) {
            recorder->onPhase({phase, "", 0, 0, 0, 0});
            VERIFY_RESULT(recorder->drain());
            QCOMPARE(project->run(1)->status, status);
        }
        recorder->onEvent({EventKind::Failed, 3, 1, "The disk is gone."});
        recorder->onPhase({Phase::Checkpointing, "", 0, 0, 0, 0}); // late: the end stays the end
        VERIFY_RESULT(recorder->drain());
        QCOMPARE(project->run(1)->status, RunStatus::Failed);
        QCOMPARE(project->run(1)->error, std::string("The disk is gone."));
    }

    void aSecondSessionGoesOn() {
        testing::ScratchFolder folder;
        const auto project = makeProject(folder.path());
        const auto run = project->createRun(aRun());
        for (const auto& [from, to] : {std::pair(0, 20), {10, 15}}) {
            const auto recorder = recorderOf(folder.path(), from);
            for (std::int64_t i = from + 1; i <= to; ++i)
                recorder->onStep(stepAt(i));
        }
        QCOMPARE(pointsOf(folder.path() / run->folder, "loss").size(), std::size_t(15));
        QCOMPARE(project->run(1)->iteration, 15);
        QCOMPARE(project->run(1)->seconds, 12.5); // 20 and 5 iterations of half a second
    }

    /// Nothing is dropped and the engine goes on while the points cannot be written.
    void aBlockedDiskLosesNothing() {
        testing::ScratchFolder folder;
        const auto project = makeProject(folder.path());
        const auto run = project->createRun(aRun());
        const auto recorder = recorderOf(folder.path());
        {
            const Blockade blockade(folder.path() / run->folder / "series.sqlite");
            for (std::int64_t i = 1; i <= 20000; ++i) // far more than the ring holds
                recorder->onStep(stepAt(i));
        }
        VERIFY_RESULT(recorder->drain());
        QCOMPARE(pointsOf(folder.path() / run->folder, "loss").size(), std::size_t(20000));
    }

    /// No file of the process may grow for a while, as on a full disk: the sentence says so, then all of it arrives.
    void aFullDiskIsToldAndLosesNothing() {
        testing::ScratchFolder folder;
        const auto project = makeProject(folder.path());
        const auto run = project->createRun(aRun());
        const int status = inChild([&] {
            ::signal(SIGXFSZ, SIG_IGN);
            const auto recorder = recorderOf(folder.path());
            rlimit before{};
            ::getrlimit(RLIMIT_FSIZE, &before);
            rlimit full = before;
            full.rlim_cur = 1;
            ::setrlimit(RLIMIT_FSIZE, &full);
            for (std::int64_t i = 1; i <= 5000; ++i)
                recorder->onStep(stepAt(i));
            recorder->onEvent({EventKind::Note, 1, 1, "kept"});
            const auto refused = recorder->drain();
            if (refused || exitCode(refused.error().kind) != 5 || recorder->trouble() != refused.error().sentence())
                return 1;
            for (std::int64_t i = 5001; i <= 6000; ++i)
                recorder->onStep(stepAt(i));
            if (recorder->drain())
                return 2;
            ::setrlimit(RLIMIT_FSIZE, &before);
            if (!recorder->drain())
                return 3;
            return recorder->trouble().empty() ? 0 : 4;
        });
        QVERIFY(WIFEXITED(status));
        QCOMPARE(WEXITSTATUS(status), 0);
        const auto loss = pointsOf(folder.path() / run->folder, "loss");
        QCOMPARE(loss.size(), std::size_t(6000));
        QCOMPARE(loss.back().value, 1.0 / 6000);
        const auto events = project->events(1);
        VERIFY_RESULT(events);
        QCOMPARE(events->size(), std::size_t(1));
        QCOMPARE(project->run(1)->iteration, 6000);
    }

    /// A child reports and is killed in the midst of it: what a reader finds is a prefix, the same in every series.
    void aKillLosesAtMostTheOpenTransaction() {
        testing::ScratchFolder folder;
        {
            const auto run = makeProject(folder.path())->createRun(aRun());
            VERIFY_RESULT(run);
        }
        const auto runFolder = folder.path() / "runs/1-words";
        std::int64_t from = 0;
        for (int round = 0; round < 5; ++round) {
            const int status = inChild([&] {
                const auto recorder = recorderOf(folder.path(), from);
                for (std::int64_t i = 1; i <= 2000 + 700 * round; ++i)
                    recorder->onStep(stepAt(from + i));
                if (!recorder->drain())
                    return 1;
                for (std::int64_t i = 1; i <= 5000; ++i) // in the air when the kill comes
                    recorder->onStep(stepAt(from + 2000 + 700 * round + i));
                ::kill(::getpid(), SIGKILL);
                return 0;
            });
            QVERIFY(WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL);
            const auto loss = pointsOf(runFolder, "loss");
            QVERIFY(std::int64_t(loss.size()) >= from + 2000 + 700 * round);
            for (std::size_t i = 0; i < loss.size(); ++i) {
                QCOMPARE(loss[i].iteration, std::int64_t(i) + 1);
                QCOMPARE(loss[i].value, 1.0 / double(i + 1));
            }
            for (const char* name : {"loss/box", "seconds/total", "memory"})
                QCOMPARE(pointsOf(runFolder, name).size(), loss.size());
            from = std::int64_t(loss.size());
        }
        QCOMPARE(makeProject(folder.path())->run(1)->status, RunStatus::Lost);
    }

    void adoptsACheckpointThatNobodyListed() {
        testing::ScratchFolder folder;
        const auto project = makeProject(folder.path());
        const auto run = project->createRun(aRun());
        const auto recorder = recorderOf(folder.path());
        std::ofstream(folder.path() / run->folder / "checkpoints/a.pth") << "bytes";
        recorder->onCheckpoint({10, "checkpoints/a.pth", 5, 1});
        recorder->onCheckpoint({20, "checkpoints/gone.pth", 5, 1}); // retention was quicker
        VERIFY_RESULT(recorder->drain());
        QCOMPARE(project->checkpoints(1)->size(), std::size_t(1));
        VERIFY_RESULT(project->setMetric(1, 10, 0.5, true));
        recorder->onCheckpoint({10, "checkpoints/a.pth", 5, 1}); // told late: what it earned stays
        VERIFY_RESULT(recorder->drain());
        QVERIFY(project->checkpoints(1)->front().isBest);
    }
};

QTEST_GUILESS_MAIN(tst_RunRecorder)
#include "tst_RunRecorder.moc"
