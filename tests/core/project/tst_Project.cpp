#include "ProjectFixture.h"

#include "core/base/AtomicFile.h"

#include <cmath>
#include <fstream>
#include <limits>

using namespace trainyard;
using testing::aRun;
using testing::makeProject;

namespace {

CheckpointReport checkpointAt(std::int64_t iteration) {
    return {iteration, "checkpoints/iteration-" + std::to_string(iteration) + ".pth", 5, 1000 + iteration};
}

std::int64_t addWithFile(Project& project, const RunRecord& run, std::int64_t iteration) {
    const auto report = checkpointAt(iteration);
    if (auto written = writeFile(project.folder() / run.folder / report.path, "bytes"); !written)
        qFatal("%s", written.error().sentence().c_str());
    const auto id = project.addCheckpoint(run.id, report);
    if (!id)
        qFatal("%s", id.error().sentence().c_str());
    return *id;
}

/// "100 best final" and so on, one a checkpoint.
std::vector<std::string> marks(const Project& project, std::int64_t run) {
    std::vector<std::string> marks;
    const auto found = project.checkpoints(run);
    if (!found)
        qFatal("%s", found.error().sentence().c_str());
    for (const CheckpointRecord& checkpoint : *found)
        marks.push_back(std::to_string(checkpoint.report.iteration) + (checkpoint.isBest ? " best" : "") +
                        (checkpoint.isFinal ? " final" : "") + (checkpoint.isPinned ? " pinned" : "") +
                        (checkpoint.isAbandoned ? " abandoned" : "") + (checkpoint.isDeleted ? " deleted" : "") +
                        (checkpoint.isMissing ? " missing" : ""));
    return marks;
}

using Marks = std::vector<std::string>;

} // namespace

class tst_Project : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void storesARunAndItsProvenance() {
        testing::ScratchFolder folder;
        const auto project = makeProject(folder.path());
        const auto run = project->createRun(aRun("Wörter 文字"));
        VERIFY_RESULT(run);
        QCOMPARE(run->id, 1);
        QCOMPARE(run->name, std::string("Wörter 文字"));
        QCOMPARE(run->folder, std::string("runs/1-Wörter-文字"));
        QCOMPARE(run->status, RunStatus::Queued);
        QCOMPARE(run->iterations, 1000);
        QVERIFY(run->createdMicroseconds > 0);
        QCOMPARE(*readFile(folder.path() / run->folder / "config.yaml"), std::string("seed: 7\n"));
        for (const char* name : {"series.sqlite", "run.json", "checkpoints"})
            QVERIFY(std::filesystem::exists(folder.path() / run->folder / name));
        const auto provenance = project->provenance(run->id);
        VERIFY_RESULT(provenance);
        QCOMPARE(provenance->seed, 18446744073709551615ull);
        QCOMPARE(provenance->overrides, aRun().overrides);
        QCOMPARE(provenance->dataFingerprint, aRun().dataFingerprint);
        QCOMPARE(provenance->config, aRun().config);
    }

    void makesSafeFolderNames_data() {
        QTest::addColumn<QString>("name");
        QTest::addColumn<QString>("folder");
        QTest::newRow("slashes") << "a/b\\c"
                                 << "runs/1-a-b-c";
        QTest::newRow("upwards") << "../../etc"
                                 << "runs/1-..-..-etc";
        QTest::newRow("only awkward") << "/// \n"
                                      << "runs/1-run";
        QTest::newRow("empty: the model's type") << ""
                                                 << "runs/1-crnn";
        QTest::newRow("hidden") << ".git"
                                << "runs/1-.git";
        QTest::newRow("trailing dots") << "v1..."
                                       << "runs/1-v1";
        QTest::newRow("shell") << "a;rm -rf $HOME"
                               << "runs/1-a-rm--rf-HOME";
        QTest::newRow("long") << QString(500, 'x') << "runs/1-" + QString(80, 'x');
        QTest::newRow("long, cut between characters")
            << QString(100, QChar(0x6587)) << "runs/1-" + QString(26, QChar(0x6587));
    }
    void makesSafeFolderNames() {
        QFETCH(QString, name);
        QFETCH(QString, folder);
        testing::ScratchFolder scratch;
        const auto project = makeProject(scratch.path());
        const auto run = project->createRun(aRun(name.toStdString()));
        VERIFY_RESULT(run);
        QCOMPARE(QString::fromStdString(run->folder), folder);
        QVERIFY(std::filesystem::is_directory(scratch.path() / run->folder));
    }

    void findsRunsByWhatPeopleType() {
        testing::ScratchFolder folder;
        const auto project = makeProject(folder.path());
        for (const char* name : {"words", "cells", "words"})
            VERIFY_RESULT(project->createRun(aRun(name)));
        for (const auto& [reference, id] : {std::pair<std::string, std::int64_t>{"2", 2},
                                            {"#1", 1},
                                            {"words", 3},
                                            {"runs/1-words", 1},
                                            {"1-words", 1},
                                            {"runs/2-cells/", 2},
                                            {folder.path().string() + "/runs/2-cells", 2}}) {
            const auto found = project->findRun(reference);
            VERIFY_RESULT(found);
            QCOMPARE(found->id, id);
        }
        const auto none = project->findRun("9");
        QVERIFY(!none);
        QCOMPARE(exitCode(none.error().kind), 2);
    }

    void keepsEditsAndText() {
        testing::ScratchFolder folder;
        const auto project = makeProject(folder.path());
        VERIFY_RESULT(project->createRun(aRun()));
        const std::string longText(300000, 'n');
        VERIFY_RESULT(project->setNotes(1, longText + "\n\"quoted\" ' עברית"));
        VERIFY_RESULT(project->setTags(1, {"gut", "a,b", ""}));
        VERIFY_RESULT(project->rename(1, "new / name"));
        VERIFY_RESULT(project->setIterations(1, 5000));
        VERIFY_RESULT(project->setBest(1, "word_accuracy", 0.25));
        VERIFY_RESULT(project->setProgress(1, 42, std::numeric_limits<double>::quiet_NaN(), 12.5));
        VERIFY_RESULT(project->setConfig(1, "seed: 8\n"));
        VERIFY_RESULT(project->setStatus(1, RunStatus::Failed, "The loss is not finite."));
        const auto run = project->run(1);
        VERIFY_RESULT(run);
        QCOMPARE(run->notes, longText + "\n\"quoted\" ' עברית");
        QCOMPARE(run->tags, (std::vector<std::string>{"gut", "a,b", ""}));
        QCOMPARE(run->name, std::string("new / name"));
        QCOMPARE(run->folder, std::string("runs/1-words"));
        QCOMPARE(run->iterations, 5000);
        QCOMPARE(run->iteration, 42);
        QVERIFY(std::isnan(run->loss));
        QCOMPARE(run->seconds, 12.5);
        QCOMPARE(*run->bestMetric, 0.25);
        QCOMPARE(run->error, std::string("The loss is not finite."));
        QCOMPARE(*readFile(folder.path() / run->folder / "config.yaml"), std::string("seed: 8\n"));
        QCOMPARE(project->run(1)->tags, project->runs()->front().tags);
        VERIFY_RESULT(project->setGroup(1, "Ablation / Größe"));
        VERIFY_RESULT(project->setColour(1, 5));
        QCOMPARE(project->run(1)->group, std::string("Ablation / Größe"));
        QCOMPARE(project->run(1)->colour, 5);
        QVERIFY(readFile(folder.path() / run->folder / "run.json")->find("Ablation") != std::string::npos);
        QVERIFY(!project->setNotes(2, "nobody"));
        QVERIFY(!project->setGroup(2, "nobody"));
    }

    void tellsTheNewestEvaluationOfEveryRun() {
        testing::ScratchFolder folder;
        const auto project = makeProject(folder.path());
        for (int run = 1; run <= 4; ++run)
            VERIFY_RESULT(project->createRun(aRun()));
        VERIFY_RESULT(project->addEvaluation(3, {100, {{"word_accuracy", 0.5}}, 1, 8, "words"}));
        VERIFY_RESULT(project->addEvaluation(1, {50, {{"word_accuracy", 0.125}}, 1, 8, "words"}));
        VERIFY_RESULT(project->addEvaluation(3, {200, {{"word_accuracy", 0.25}}, 1, 8, "words"}));
        VERIFY_RESULT(project->addEvaluation(4, {10, {{"word_accuracy", 0.75}}, 1, 8, "words"}));
        VERIFY_RESULT(project->deleteRun(4));
        const auto newest = project->newestEvaluations();
        VERIFY_RESULT(newest);
        QCOMPARE(newest->size(), std::size_t(2)); // run 2 has none, run 4 is deleted
        QCOMPARE(newest->at(0).run, 1);
        QCOMPARE(newest->at(0).report.metrics.at(0).second, 0.125);
        QCOMPARE(newest->at(1).run, 3);
        QCOMPARE(newest->at(1).report.iteration, 200);
        QCOMPARE(newest->at(1).report.metrics.at(0).second, 0.25);
    }

    void deletedRunsAreListedUntilTheyAreGone() {
        testing::ScratchFolder folder;
        const auto project = makeProject(folder.path());
        VERIFY_RESULT(project->createRun(aRun("kept")));
        VERIFY_RESULT(project->createRun(aRun("dropped")));
        VERIFY_RESULT(project->deleteRun(2));
        QCOMPARE(project->runs()->size(), std::size_t(1));
        QCOMPARE(project->deletedRuns()->size(), std::size_t(1));
        QCOMPARE(project->deletedRuns()->front().name, std::string("dropped"));
        QVERIFY(project->deletedRuns()->front().isDeleted);
        VERIFY_RESULT(project->purge());
        QVERIFY(project->deletedRuns()->empty());
    }

    void aRunWithoutAnOwnerIsLost_data() {
        QTest::addColumn<int>("stored");
        QTest::addColumn<int>("shown");
        for (const auto status : {RunStatus::Preparing, RunStatus::Running, RunStatus::Paused, RunStatus::Stopping})
            QTest::newRow(statusName(status)) << int(status) << int(RunStatus::Lost);
        for (const auto status : {RunStatus::Queued, RunStatus::Stopped, RunStatus::Finished, RunStatus::Failed})
            QTest::newRow(statusName(status)) << int(status) << int(status);
    }
    void aRunWithoutAnOwnerIsLost() {
        QFETCH(int, stored);
        QFETCH(int, shown);
        testing::ScratchFolder folder;
        const auto project = makeProject(folder.path());
        const auto run = project->createRun(aRun());
        VERIFY_RESULT(run);
        {
            const auto lock = RunLock::acquire(folder.path() / run->folder);
            VERIFY_RESULT(lock);
            VERIFY_RESULT(project->setStatus(1, RunStatus(stored)));
            QCOMPARE(int(project->run(1)->status), stored);
            QCOMPARE(int(project->runs()->front().status), stored);
        }
        QCOMPARE(int(project->run(1)->status), shown);
        QCOMPARE(int(project->runs()->front().status), shown);
    }

    void oneOwnerAtATimeAndDeathLetsGo() {
        testing::ScratchFolder folder;
        int ready[2];
        QVERIFY(::pipe(ready) == 0);
        const pid_t child = ::fork();
        if (child == 0) {
            const auto lock = RunLock::acquire(folder.path());
            const char answer = lock ? 'y' : 'n';
            (void)!::write(ready[1], &answer, 1);
            ::pause(); // until killed
        }
        char answer = 0;
        QCOMPARE(::read(ready[0], &answer, 1), ssize_t(1));
        QCOMPARE(answer, 'y');
        QVERIFY(RunLock::isHeld(folder.path()));
        const auto refused = RunLock::acquire(folder.path());
        QVERIFY(!refused);
        QCOMPARE(exitCode(refused.error().kind), 5);
        QVERIFY(refused.error().what.find("pid " + std::to_string(child)) != std::string::npos);
        ::kill(child, SIGKILL);
        ::waitpid(child, nullptr, 0);
        QVERIFY(!RunLock::isHeld(folder.path()));
        VERIFY_RESULT(RunLock::acquire(folder.path()));
    }

    void aResumeAbandonsLaterCheckpoints() {
        testing::ScratchFolder folder;
        const auto project = makeProject(folder.path());
        const auto run = project->createRun(aRun());
        VERIFY_RESULT(run);
        QCOMPARE(*project->beginSession(1, 0), 1);
        for (const std::int64_t iteration : {100, 200, 300})
            addWithFile(*project, *run, iteration);
        VERIFY_RESULT(project->setMetric(1, 100, 0.5, true));
        VERIFY_RESULT(project->setMetric(1, 200, 0.4, false));
        VERIFY_RESULT(project->setMetric(1, 300, 0.9, true));
        VERIFY_RESULT(project->setBest(1, "word_accuracy", 0.9));
        VERIFY_RESULT(project->markFinal(1, 300));
        QCOMPARE(marks(*project, 1), (Marks{"100", "200", "300 best final"}));
        QCOMPARE(*project->beginSession(1, 200), 2);
        QCOMPARE(marks(*project, 1), (Marks{"100 best", "200", "300 abandoned"}));
        QCOMPARE(*project->run(1)->bestMetric, 0.5);
        // the new branch writes over the abandoned file: the row is the new file's
        addWithFile(*project, *run, 300);
        const auto checkpoints = project->checkpoints(1);
        VERIFY_RESULT(checkpoints);
        QCOMPARE(marks(*project, 1), (Marks{"100 best", "200", "300"}));
        QCOMPARE(checkpoints->back().session, 2);
        QVERIFY(!checkpoints->back().metric);
    }

    void bestAndFinalAreExclusive() {
        testing::ScratchFolder folder;
        const auto project = makeProject(folder.path());
        const auto run = project->createRun(aRun());
        VERIFY_RESULT(run);
        for (const std::int64_t iteration : {1, 2, 3})
            addWithFile(*project, *run, iteration);
        VERIFY_RESULT(project->setMetric(1, 1, 0.1, true));
        VERIFY_RESULT(project->setMetric(1, 2, 0.2, true));
        VERIFY_RESULT(project->markFinal(1, 2));
        VERIFY_RESULT(project->markFinal(1, 3));
        VERIFY_RESULT(project->setPinned(1, true));
        QCOMPARE(marks(*project, 1), (Marks{"1 pinned", "2 best", "3 final"}));
        QCOMPARE(*project->checkpoint(2)->metric, 0.2);
        QVERIFY(!project->setMetric(1, 99, 1, true));
        QVERIFY(!project->markFinal(1, 99));
        VERIFY_RESULT(project->deleteCheckpoint(2)); // the earlier best is the best there is
        QCOMPARE(marks(*project, 1), (Marks{"1 best pinned", "2 deleted", "3 final"}));
        VERIFY_RESULT(project->restoreCheckpoint(2));
        QCOMPARE(marks(*project, 1), (Marks{"1 pinned", "2 best", "3 final"}));
        addWithFile(*project, *run, 2); // told twice
        QCOMPARE(marks(*project, 1), (Marks{"1 pinned", "2 best", "3 final"}));
        VERIFY_RESULT(project->removeCheckpointNow(1));
        QCOMPARE(marks(*project, 1), (Marks{"2 best", "3 final"}));
    }

    void refusesPathsThatLeadOut() {
        testing::ScratchFolder folder;
        const auto project = makeProject(folder.path());
        VERIFY_RESULT(project->createRun(aRun()));
        for (const char* path : {"/etc/passwd", "../../x", "checkpoints/../../x", "", "."})
            QVERIFY(!project->addCheckpoint(1, {1, path, 0, 0}));
    }

    void aFileRemovedByHandIsMissing() {
        testing::ScratchFolder folder;
        const auto project = makeProject(folder.path());
        const auto run = project->createRun(aRun());
        addWithFile(*project, *run, 1);
        std::filesystem::remove(folder.path() / run->folder / checkpointAt(1).path);
        QCOMPARE(marks(*project, 1), (Marks{"1 missing"}));
        std::filesystem::remove_all(folder.path() / run->folder);
        VERIFY_RESULT(project->setNotes(1, "its folder is gone, its row is not"));
        QCOMPARE(project->runs()->size(), std::size_t(1));
    }

    void deletionCanBeUndoneUntilThePurge() {
        testing::ScratchFolder folder;
        const auto project = makeProject(folder.path());
        const auto run = project->createRun(aRun("one"));
        const auto other = project->createRun(aRun("two"));
        VERIFY_RESULT(other);
        const std::int64_t first = addWithFile(*project, *run, 1);
        addWithFile(*project, *run, 2);
        const auto path = folder.path() / run->folder;
        VERIFY_RESULT(project->deleteRun(run->id));
        QCOMPARE(project->runs()->size(), std::size_t(1));
        QVERIFY(!project->findRun("one"));
        VERIFY_RESULT(project->restoreRun(run->id));
        QCOMPARE(project->runs()->size(), std::size_t(2));
        VERIFY_RESULT(project->purge());
        QVERIFY(std::filesystem::exists(path / checkpointAt(1).path));

        VERIFY_RESULT(project->deleteCheckpoint(first));
        VERIFY_RESULT(project->purge());
        QVERIFY(!std::filesystem::exists(path / checkpointAt(1).path));
        QVERIFY(std::filesystem::exists(path / checkpointAt(2).path));
        QCOMPARE(marks(*project, run->id), (Marks{"2"}));

        VERIFY_RESULT(project->deleteRun(run->id));
        VERIFY_RESULT(project->purge());
        QVERIFY(!std::filesystem::exists(path));
        QVERIFY(std::filesystem::exists(folder.path() / other->folder / "run.json"));
        QVERIFY(!project->restoreRun(run->id));
        QCOMPARE(project->createRun(aRun("three"))->id, 3); // numbers are never given twice
    }

    void aPurgeLeavesForeignFilesAlone() {
        testing::ScratchFolder folder;
        const auto project = makeProject(folder.path() / "project");
        const auto run = project->createRun(aRun());
        addWithFile(*project, *run, 1);
        const auto path = project->folder() / run->folder;
        VERIFY_RESULT(writeFile(path / "thoughts.txt", "mine"));
        VERIFY_RESULT(writeFile(path / "checkpoints" / "copied.pth", "mine"));
        VERIFY_RESULT(writeFile(folder / "precious.pth", "mine"));
        std::filesystem::create_symlink(folder / "precious.pth", path / "checkpoints" / "link.pth");
        VERIFY_RESULT(project->addCheckpoint(run->id, {2, "checkpoints/link.pth", 4, 0}));
        VERIFY_RESULT(project->deleteRun(run->id));
        QVERIFY(!project->purge()); // a link that leads out is told about
        QVERIFY(std::filesystem::exists(folder / "precious.pth"));
        std::filesystem::remove(path / "checkpoints" / "link.pth");
        VERIFY_RESULT(project->purge());
        QVERIFY(std::filesystem::exists(path / "thoughts.txt"));
        QVERIFY(std::filesystem::exists(path / "checkpoints" / "copied.pth"));
        QVERIFY(!std::filesystem::exists(path / "run.json"));
        QVERIFY(!std::filesystem::exists(path / checkpointAt(1).path));
        QVERIFY(project->runs()->empty());
    }

    void aRunBeingTrainedIsNotDeleted() {
        testing::ScratchFolder folder;
        const auto project = makeProject(folder.path());
        const auto run = project->createRun(aRun());
        auto lock = RunLock::acquire(folder.path() / run->folder);
        VERIFY_RESULT(lock);
        QVERIFY(!project->deleteRun(run->id));
        lock->reset();
        VERIFY_RESULT(project->deleteRun(run->id));
    }

    void recordsEventsAndEvaluations() {
        testing::ScratchFolder folder;
        const auto project = makeProject(folder.path());
        VERIFY_RESULT(project->createRun(aRun()));
        VERIFY_RESULT(project->addEvent(1, {EventKind::RateChanged, 7, 123, "0.1 → 0.01"}));
        VERIFY_RESULT(project->addEvent(1, {EventKind::Finished, 9, 456, ""}));
        const double infinity = std::numeric_limits<double>::infinity();
        VERIFY_RESULT(project->addEvaluation(
            1, {7, {{"word_accuracy", 0.1}, {"b", infinity}, {"a", std::nan("")}}, 1.5, 99, "test"}));
        const auto events = project->events(1);
        VERIFY_RESULT(events);
        QCOMPARE(events->size(), std::size_t(2));
        QCOMPARE(events->front().kind, EventKind::RateChanged);
        QCOMPARE(events->front().text, std::string("0.1 → 0.01"));
        QCOMPARE(events->front().wallMicroseconds, 123);
        const auto evaluations = project->evaluations(1);
        VERIFY_RESULT(evaluations);
        const auto& report = evaluations->front().report;
        QCOMPARE(report.metrics.size(), std::size_t(3));
        QCOMPARE(report.metrics[0].first, std::string("word_accuracy"));
        QCOMPARE(report.metrics[0].second, 0.1);
        QCOMPARE(report.metrics[1].second, infinity);
        QVERIFY(std::isnan(report.metrics[2].second));
        QCOMPARE(report.samples, 99);
        QVERIFY(!project->addEvent(2, {}));
    }

    void settingsAndTheDataVersion() {
        testing::ScratchFolder folder;
        const auto window = makeProject(folder.path());
        const auto engine = makeProject(folder.path());
        QCOMPARE(window->setting("page"), std::string());
        VERIFY_RESULT(window->setSetting("page", "runs"));
        VERIFY_RESULT(window->setSetting("page", "monitor"));
        QCOMPARE(engine->setting("page"), std::string("monitor"));
        const auto before = window->dataVersion();
        QCOMPARE(window->dataVersion(), before);
        VERIFY_RESULT(engine->createRun(aRun()));
        const auto after = window->dataVersion();
        QVERIFY(after != before);
        VERIFY_RESULT(window->setNotes(1, "own changes count too"));
        QVERIFY(window->dataVersion() != after);
    }

    void aMovedProjectOpens() {
        testing::ScratchFolder folder;
        {
            const auto project = makeProject(folder / "here");
            const auto run = project->createRun(aRun());
            addWithFile(*project, *run, 1);
        }
        std::filesystem::rename(folder / "here", folder / "the re");
        const auto project = Project::open(folder / "the re", Project::Mode::ReadWrite);
        VERIFY_RESULT(project);
        QCOMPARE(marks(**project, 1), (Marks{"1"}));
        QCOMPARE((*project)->createRun(aRun())->id, 2);
        QCOMPARE(*Project::nearest(folder / "the re/runs/1-words/checkpoints"), folder / "the re");
        QVERIFY(!Project::nearest(folder.path()));
    }

    void aNewRunNeverLandsInAnOldFolder() {
        testing::ScratchFolder folder;
        for (int i = 0; i < 3; ++i)
            VERIFY_RESULT(makeProject(folder.path())->createRun(aRun()));
        for (const char* file : {"project.sqlite", "project.sqlite-wal", "project.sqlite-shm"})
            std::filesystem::remove(folder / file); // the index is lost
        const auto run = makeProject(folder.path())->createRun(aRun());
        VERIFY_RESULT(run);
        QCOMPARE(run->id, 4);
    }
};

QTEST_GUILESS_MAIN(tst_Project)
#include "tst_Project.moc"
