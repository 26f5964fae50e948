#include "ProjectFixture.h"

#include "core/base/AtomicFile.h"
#include "core/base/Random.h"
#include "core/project/Series.h"

#include <fstream>

using namespace trainyard;
using testing::aRun;
using testing::makeProject;
using testing::must;
using testing::removeIndex;

namespace {

namespace fs = std::filesystem;

void addCheckpoint(Project& project, const RunRecord& run, std::int64_t iteration) {
    char name[64];
    std::snprintf(name, sizeof name, "checkpoints/iteration-%08lld.pth", static_cast<long long>(iteration));
    const auto written = writeFile(project.folder() / run.folder / name, "bytes");
    const auto added = project.addCheckpoint(run.id, {iteration, name, 5, 77});
    if (!written || !added)
        qFatal("a checkpoint could not be made");
}

/// Two runs with everything a run can have; the second is a fine-tune of the first.
void fill(const fs::path& folder) {
    const auto project = makeProject(folder);
    const auto run = project->createRun(aRun("cells"));
    must(project->beginSession(1, 0));
    for (const std::int64_t iteration : {100, 200, 300})
        addCheckpoint(*project, *run, iteration);
    auto finer = aRun("finer / Wörter");
    finer.parentCheckpoint = 2;
    const bool isDone =
        project->createRun(finer) && project->setMetric(1, 100, 0.5, true) && project->setMetric(1, 200, 0.75, true) &&
        project->setPinned(1, true) && project->markFinal(1, 300) && project->setTags(1, {"good", "small"}) &&
        project->setNotes(1, "Zeile 1\nline 2") && project->setBest(1, "bbox/AP50", 0.75) &&
        project->beginSession(1, 250) && project->setStatus(1, RunStatus::Stopped) && project->deleteRun(2) &&
        project->addEvent(1, {EventKind::Stopped, 300, 9, "by the user"}) &&
        project->addEvaluation(1, {200, {{"bbox/AP50", 0.75}}, 3, 72, "test"}) && project->setSetting("page", "runs");
    if (!isDone)
        qFatal("the project could not be filled");
    const auto writer = SeriesWriter::open(folder / run->folder);
    (*writer)->add("loss", 312, 0.25);
    if (!(*writer)->flush())
        qFatal("no points");
}

/// Everything of `fill` as one text, so that two projects can be compared.
std::string describe(const Project& project) {
    std::string text;
    for (const auto& run : must(project.runs())) {
        const auto provenance = project.provenance(run.id);
        text += "run " + std::to_string(run.id) + " " + run.name + " " + run.folder + " " + run.modelType + " " +
                run.task + " " + statusName(run.status) + " " + std::to_string(run.iterations) + " " + run.notes + " " +
                std::to_string(run.bestMetric.value_or(-1)) + run.bestMetricName + " " +
                std::to_string(run.parentCheckpoint.value_or(-1)) + " " + std::to_string(run.createdMicroseconds) +
                " " + std::to_string(run.colour) + " " + provenance->config + std::to_string(provenance->seed) +
                provenance->dataFingerprint + provenance->overrides.back();
        for (const auto& tag : run.tags)
            text += " #" + tag;
        for (const auto& event : must(project.events(run.id)))
            text += "\n event " + event.text + std::to_string(event.iteration);
        for (const auto& evaluation : must(project.evaluations(run.id)))
            text += "\n evaluation " + evaluation.report.dataset + std::to_string(evaluation.report.metrics[0].second);
        for (const auto& c : must(project.checkpoints(run.id)))
            text += "\n checkpoint " + std::to_string(c.id) + c.report.path + std::to_string(c.report.bytes) +
                    std::to_string(c.session) + std::to_string(c.metric.value_or(-1)) + (c.isBest ? " best" : "") +
                    (c.isFinal ? " final" : "") + (c.isPinned ? " pinned" : "") + (c.isAbandoned ? " abandoned" : "");
        text += "\n";
    }
    return text;
}

std::string joined(const std::vector<std::string>& sentences) {
    std::string all;
    for (const auto& sentence : sentences)
        all += sentence + "\n";
    return all;
}

} // namespace

class tst_ProjectRebuild : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void aSoundProjectHasNothingToSay() {
        testing::ScratchFolder folder;
        fill(folder.path());
        const auto said = checkProject(folder.path());
        VERIFY_RESULT(said);
        QCOMPARE(joined(*said), std::string());
    }

    void bringsTheIndexBackFromTheFolders() {
        testing::ScratchFolder folder;
        fill(folder.path());
        const std::string before = describe(*makeProject(folder.path()));
        QVERIFY(before.find("best") != std::string::npos && before.find("abandoned") != std::string::npos);
        removeIndex(folder.path());
        QVERIFY(!Project::open(folder.path(), Project::Mode::ReadWrite));
        const auto said = rebuildProject(folder.path());
        VERIFY_RESULT(said);
        const auto project = Project::open(folder.path(), Project::Mode::ReadWrite);
        VERIFY_RESULT(project);
        QCOMPARE(describe(**project), before);
        QCOMPARE((*project)->run(1)->iteration, 312); // the points know more than the run file
        VERIFY_RESULT((*project)->restoreRun(2));     // deleted stays deleted, and can still be undone
        QCOMPARE((*project)->run(2)->parentCheckpoint, std::optional<std::int64_t>(2));
        QCOMPARE(joined(*checkProject(folder.path())), std::string());
    }

    void rebuildingASoundProjectChangesNothing() {
        testing::ScratchFolder folder;
        fill(folder.path());
        const std::string before = describe(*makeProject(folder.path()));
        VERIFY_RESULT(rebuildProject(folder.path()));
        const auto project = makeProject(folder.path());
        QCOMPARE(describe(*project), before);
        QCOMPARE(project->setting("page"), std::string("runs"));
        QVERIFY(fs::exists(folder / "project.sqlite.damaged-1"));
        VERIFY_RESULT(rebuildProject(folder.path()));
        QVERIFY(fs::exists(folder / "project.sqlite.damaged-2"));
    }

    /// Whatever part of the index is destroyed, a rebuild gives the runs back and keeps the damaged file.
    void salvagesADamagedIndex_data() {
        QTest::addColumn<int>("seed");
        for (int seed = 0; seed < 12; ++seed)
            QTest::addRow("%d", seed) << seed;
    }
    void salvagesADamagedIndex() {
        QFETCH(int, seed);
        testing::ScratchFolder folder;
        fill(folder.path());
        const std::string before = describe(*makeProject(folder.path()));
        const auto file = folder / "project.sqlite";
        std::string bytes = *readFile(file);
        Random random{std::uint64_t(seed)};
        const std::size_t start = std::size_t(random.integer(0, std::int64_t(bytes.size()) - 1));
        if (seed % 3 == 0)
            bytes.resize(start);
        else
            for (std::size_t i = start; i < std::min(bytes.size(), start + 6000); ++i)
                bytes[i] = char(random.next());
        VERIFY_RESULT(writeFile(file, bytes));
        const auto said = rebuildProject(folder.path());
        VERIFY_RESULT(said);
        QCOMPARE(*readFile(folder / "project.sqlite.damaged-1"), bytes);
        QCOMPARE(describe(*makeProject(folder.path())), before);
    }

    void usesSalvagedRowsWhereARunFileIsGone() {
        testing::ScratchFolder folder;
        fill(folder.path());
        const std::string before = describe(*makeProject(folder.path()));
        fs::remove(folder / "runs/1-cells/run.json");
        fs::remove(folder / "runs/1-cells/history.jsonl");
        const auto said = rebuildProject(folder.path());
        VERIFY_RESULT(said);
        QVERIFY(joined(*said).find("run.json is missing") != std::string::npos);
        QCOMPARE(describe(*makeProject(folder.path())), before);
    }

    void asksTheFilesWhenNothingElseIsLeft() {
        testing::ScratchFolder folder;
        fill(folder.path());
        removeIndex(folder.path());
        VERIFY_RESULT(writeFile(folder / "runs/1-cells/run.json", "{\"run\": 7"));
        std::ofstream(folder / "runs/1-cells/history.jsonl", std::ios::app) << "{\"table\": \"event\", \"ro"; // cut off
        VERIFY_RESULT(rebuildProject(folder.path()));
        const auto project = makeProject(folder.path());
        const auto run = project->run(1);
        VERIFY_RESULT(run);
        QCOMPARE(run->name, std::string("cells"));
        QCOMPARE(run->status, RunStatus::Stopped);
        QCOMPARE(run->iteration, 312);
        QCOMPARE(project->provenance(1)->config, aRun().config);
        const auto checkpoints = project->checkpoints(1);
        VERIFY_RESULT(checkpoints);
        QCOMPARE(checkpoints->size(), std::size_t(3));
        QCOMPARE(checkpoints->back().report.iteration, 300);
        QCOMPARE(checkpoints->back().report.bytes, 5);
        QCOMPARE(project->events(1)->size(), std::size_t(1));
        QCOMPARE(project->evaluations(1)->size(), std::size_t(1));
        QCOMPARE(joined(*checkProject(folder.path())), std::string()); // the run file was written anew
    }

    /// Killed between its folder and its row, a run has nothing that could be lost.
    void aRunThatWasKilledWhileItWasMadeIsNone() {
        testing::ScratchFolder folder;
        fill(folder.path());
        fs::create_directories(folder / "runs/3-unborn/checkpoints");
        VERIFY_RESULT(writeFile(folder / "runs/3-unborn/config.yaml", "{}"));
        QCOMPARE(joined(*checkProject(folder.path())), std::string());
        const auto said = rebuildProject(folder.path());
        VERIFY_RESULT(said);
        QVERIFY(joined(*said).find("runs/3-unborn is left out") != std::string::npos);
        QVERIFY(!makeProject(folder.path())->run(3));
        QCOMPARE(joined(*checkProject(folder.path())), std::string());
        QVERIFY(fs::exists(folder / "runs/3-unborn/config.yaml"));
    }

    void survivesNonsenseInARunFile() {
        testing::ScratchFolder folder;
        fill(folder.path());
        removeIndex(folder.path());
        VERIFY_RESULT(writeFile(folder / "runs/1-cells/run.json",
                                R"({"run": {"id": "x", "name": 5, "status": "y", "iterations": {"a": 1}, "seconds": []},
                                    "tags": 3, "sessions": [1, {"number": 1}], "checkpoints": [{"path": 4}, {}]})"));
        VERIFY_RESULT(rebuildProject(folder.path()));
        QCOMPARE(makeProject(folder.path())->run(1)->id, 1);
    }

    void aFolderCopiedByHandBecomesARunOfItsOwn() {
        testing::ScratchFolder folder;
        fill(folder.path());
        fs::copy(folder / "runs/1-cells", folder / "runs/1-cells copy", fs::copy_options::recursive);
        const auto said = checkProject(folder.path());
        VERIFY_RESULT(said);
        QVERIFY(joined(*said).find("1-cells copy is not in the index") != std::string::npos);
        VERIFY_RESULT(rebuildProject(folder.path()));
        const auto project = makeProject(folder.path());
        QCOMPARE(project->runs()->size(), std::size_t(2));
        QCOMPARE(project->findRun("1-cells copy")->id, 3);
        QCOMPARE(project->checkpoints(3)->size(), std::size_t(3));
        QCOMPARE(joined(*checkProject(folder.path())), std::string());
    }

    void namesWhatDisagrees() {
        testing::ScratchFolder folder;
        fill(folder.path());
        fs::remove(folder / "runs/1-cells/checkpoints/iteration-00000100.pth");
        VERIFY_RESULT(writeFile(folder / "runs/1-cells/checkpoints/iteration-00000200.pth", "more bytes"));
        VERIFY_RESULT(writeFile(folder / "runs/1-cells/checkpoints/iteration-00000400.pth", "unlisted"));
        VERIFY_RESULT(writeFile(folder / "runs/1-cells/series.sqlite", "no database at all"));
        fs::remove(folder / "runs/1-cells/config.yaml");
        const auto said = checkProject(folder.path());
        VERIFY_RESULT(said);
        const std::string all = joined(*said);
        for (const char* part : {"iteration-00000100.pth of run 1 is missing", "00000200.pth of run 1 has 10 bytes",
                                 "00000400.pth of run 1 is not in the index", "series.sqlite", "config.yaml"})
            QVERIFY2(all.find(part) != std::string::npos, all.c_str());
        QCOMPARE(said->size(), std::size_t(5));
    }

    void aRunInTrainingStopsARebuild() {
        testing::ScratchFolder folder;
        fill(folder.path());
        const auto lock = RunLock::acquire(folder / "runs/1-cells");
        VERIFY_RESULT(lock);
        const auto refused = rebuildProject(folder.path());
        QVERIFY(!refused);
        QCOMPARE(exitCode(refused.error().kind), 5);
        QVERIFY(!fs::exists(folder / "project.sqlite.damaged-1"));
    }

    void noProjectIsASentence() {
        testing::ScratchFolder folder;
        QVERIFY(!checkProject(folder.path()));
        QVERIFY(!rebuildProject(folder.path()));
        QVERIFY(fs::is_empty(folder.path()));
    }
};

QTEST_GUILESS_MAIN(tst_ProjectRebuild)
#include "tst_ProjectRebuild.moc"
