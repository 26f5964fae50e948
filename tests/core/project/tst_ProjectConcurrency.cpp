// Several processes on one project: no "locked", nothing lost. The work is bounded, not the time.
#include "ProjectFixture.h"

#include "core/project/RunRecorder.h"
#include "core/project/Series.h"

#include <limits>

using namespace trainyard;
using testing::aRun;
using testing::makeProject;

namespace {

constexpr int kWriters = 4, kReaders = 2, kRounds = 40, kSteps = 50;

/// An engine's life: it makes a run, reports, saves, evaluates. 0, or the number of the line that failed.
int train(const std::filesystem::path& folder) {
    const auto project = Project::open(folder, Project::Mode::ReadWrite, true);
    if (!project)
        return qWarning("%s", project.error().sentence().c_str()), 1;
    const auto run = (*project)->createRun(aRun("engine"));
    if (!run)
        return qWarning("%s", run.error().sentence().c_str()), 2;
    const auto lock = RunLock::acquire(folder / run->folder);
    const auto recorder = RunRecorder::start(folder, run->id, 0);
    if (!lock || !recorder)
        return 3;
    for (int round = 0; round < kRounds; ++round) {
        for (int i = 1; i <= kSteps; ++i) {
            StepReport report;
            report.iteration = round * kSteps + i;
            report.loss = double(report.iteration);
            (*recorder)->onStep(report);
        }
        const std::int64_t iteration = (round + 1) * kSteps;
        if (!(*project)->addCheckpoint(run->id, {iteration, "checkpoints/" + std::to_string(iteration), 1, 1}))
            return 4;
        if (!(*project)->setMetric(run->id, iteration, round, true))
            return 5;
        (*recorder)->onEvaluation({iteration, {{"word_accuracy", double(round)}}, 1, 1, "test"});
        if (const auto drained = (*recorder)->drain(); !drained)
            return qWarning("%s", drained.error().sentence().c_str()), 6;
    }
    (*recorder)->onEvent({EventKind::Finished, kRounds * kSteps, 1, ""});
    return (*recorder)->drain() ? 0 : 7;
}

/// A window's life: it looks at everything until all runs have finished.
int watch(const std::filesystem::path& folder) {
    const auto project = Project::open(folder, Project::Mode::ReadOnly);
    if (!project)
        return qWarning("%s", project.error().sentence().c_str()), 11;
    for (;;) {
        const auto runs = (*project)->runs();
        if (!runs)
            return qWarning("%s", runs.error().sentence().c_str()), 12;
        int finished = 0;
        for (const RunRecord& run : *runs) {
            finished += run.status == RunStatus::Finished;
            if (!(*project)->checkpoints(run.id) || !(*project)->evaluations(run.id))
                return 13;
            const auto reader = SeriesReader::open(folder / run.folder);
            if (!reader)
                return qWarning("%s", reader.error().sentence().c_str()), 14;
            const auto points = (*reader)->points("loss", 0, std::numeric_limits<std::int64_t>::max());
            if (!points)
                return qWarning("%s", points.error().sentence().c_str()), 15;
            for (std::size_t i = 0; i < points->size(); ++i)
                if (points->at(i).value != double(i + 1))
                    return 16;
        }
        if (finished == kWriters)
            return 0;
    }
}

} // namespace

class tst_ProjectConcurrency : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void fourEnginesAndTwoWindows() {
        testing::ScratchFolder folder;
        { makeProject(folder.path()); }
        std::vector<pid_t> children;
        for (int i = 0; i < kWriters + kReaders; ++i) {
            const pid_t child = ::fork();
            if (child == 0)
                ::_exit(i < kWriters ? train(folder.path()) : watch(folder.path()));
            children.push_back(child);
        }
        for (std::size_t i = 0; i < children.size(); ++i) {
            int status = 0;
            ::waitpid(children[i], &status, 0);
            if (i < kWriters && (!WIFEXITED(status) || WEXITSTATUS(status) != 0)) // the watchers would wait for ever
                for (std::size_t watcher = kWriters; watcher < children.size(); ++watcher)
                    ::kill(children[watcher], SIGTERM);
            QVERIFY2(WIFEXITED(status) && WEXITSTATUS(status) == 0,
                     qPrintable(QString("process %1 ended with %2").arg(i).arg(WEXITSTATUS(status))));
        }
        const auto project = makeProject(folder.path());
        const auto runs = project->runs();
        VERIFY_RESULT(runs);
        QCOMPARE(runs->size(), std::size_t(kWriters));
        for (const RunRecord& run : *runs) {
            QCOMPARE(run.status, RunStatus::Finished);
            QCOMPARE(run.iteration, std::int64_t(kRounds * kSteps));
            QCOMPARE(project->checkpoints(run.id)->size(), std::size_t(kRounds));
            QCOMPARE(project->evaluations(run.id)->size(), std::size_t(kRounds));
            QVERIFY(project->checkpoints(run.id)->back().isBest);
            const auto reader = SeriesReader::open(folder.path() / run.folder);
            VERIFY_RESULT(reader);
            QCOMPARE((*reader)->points("loss", 0, 1 << 30)->size(), std::size_t(kRounds * kSteps));
        }
    }

    /// From nothing: the file, its schema and the runs' numbers are made by all of them at once.
    void manyProcessesMakeTheSameProject() {
        testing::ScratchFolder folder;
        std::vector<pid_t> children;
        for (int i = 0; i < 6; ++i) {
            const pid_t child = ::fork();
            if (child == 0) {
                const auto project = Project::open(folder.path(), Project::Mode::ReadWrite, true);
                if (!project)
                    qWarning("%s", project.error().sentence().c_str());
                ::_exit(project && (*project)->createRun(aRun()) && (*project)->createRun(aRun()) ? 0 : 1);
            }
            children.push_back(child);
        }
        for (const pid_t child : children) {
            int status = 0;
            ::waitpid(child, &status, 0);
            QVERIFY(WIFEXITED(status) && WEXITSTATUS(status) == 0);
        }
        const auto runs = makeProject(folder.path())->runs();
        VERIFY_RESULT(runs);
        QCOMPARE(runs->size(), std::size_t(12));
        QCOMPARE(runs->back().id, 12);
    }
};

QTEST_GUILESS_MAIN(tst_ProjectConcurrency)
#include "tst_ProjectConcurrency.moc"
