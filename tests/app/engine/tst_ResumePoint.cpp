#include "app/engine/ResumePoint.h"
#include "core/base/AtomicFile.h"
#include "core/train/CheckpointFile.h"
#include "tests/core/project/ProjectFixture.h"

using namespace trainyard;
using testing::aRun;
using testing::makeProject;
using testing::must;

namespace {

std::string pathOf(std::int64_t iteration) {
    return "checkpoints/" + checkpointFileName(iteration);
}

std::int64_t addRealCheckpoint(Project& project, const RunRecord& run, std::int64_t iteration) {
    TrainingState state;
    state.iteration = iteration;
    const std::string path = pathOf(iteration);
    return must(project.addCheckpoint(
        run.id, {iteration, path, 5, must(writeCheckpoint(project.folder() / run.folder / path, state))}));
}

} // namespace

/// D4: a run goes on from the newest of its checkpoints that reads back well.
class tst_ResumePoint : public QObject {
    Q_OBJECT
    const testing::ScratchFolder m_folder;
    std::unique_ptr<Project> m_project = makeProject(m_folder.path());

    RunRecord makeRun(std::initializer_list<std::int64_t> iterations) {
        const RunRecord run = must(m_project->createRun(aRun()));
        for (const std::int64_t iteration : iterations)
            addRealCheckpoint(*m_project, run, iteration);
        return run;
    }
    std::filesystem::path fileOf(const RunRecord& run, std::int64_t iteration) const {
        return m_project->folder() / run.folder / pathOf(iteration);
    }

private Q_SLOTS:
    /// Detectron's scan misses 10 once it has seen 9, and never uses the very first.
    void theNewestCountsInWhateverOrderTheyCame_data() {
        QTest::addColumn<QList<qint64>>("iterations");
        QTest::newRow("one after the other") << QList<qint64>{9, 10};
        QTest::newRow("the newer first") << QList<qint64>{10, 9};
        QTest::newRow("more digits are no smaller") << QList<qint64>{99999999, 100000000, 9};
        QTest::newRow("the first iteration's alone") << QList<qint64>{1};
        QTest::newRow("none yet") << QList<qint64>{};
    }
    void theNewestCountsInWhateverOrderTheyCame() {
        QFETCH(QList<qint64>, iterations);
        const RunRecord run = makeRun({});
        std::int64_t newest = 0;
        for (const qint64 iteration : iterations) {
            addRealCheckpoint(*m_project, run, iteration);
            newest = std::max(newest, std::int64_t(iteration));
        }
        const auto point = findResumePoint(*m_project, run, std::nullopt);
        VERIFY_RESULT(point);
        QCOMPARE(point->iteration, newest);
        QCOMPARE(point->file.has_value(), newest > 0);
        if (point->file)
            QCOMPARE(must(readCheckpoint(*point->file)).iteration, newest);
        QVERIFY(point->warnings.empty());
    }

    /// D6: what merely looks like a checkpoint is none.
    void strayFilesAreIgnored() {
        const RunRecord run = makeRun({9});
        for (const std::int64_t stray : {10, 11})
            std::filesystem::copy(fileOf(run, 9), fileOf(run, stray));
        VERIFY_RESULT(writeFile(fileOf(run, 9).parent_path() / "iteration-X.pth", "junk"));
        const auto point = findResumePoint(*m_project, run, std::nullopt);
        VERIFY_RESULT(point);
        QCOMPARE(point->iteration, std::int64_t(9));
    }

    void whatIsDamagedIsToldAndPassedOver() {
        const RunRecord run = makeRun({8, 9, 10});
        VERIFY_RESULT(writeFile(fileOf(run, 10), "no checkpoint"));
        std::filesystem::remove(fileOf(run, 9));
        const auto point = findResumePoint(*m_project, run, std::nullopt);
        VERIFY_RESULT(point);
        QCOMPARE(point->iteration, std::int64_t(8));
        QCOMPARE(*point->file, fileOf(run, 8));
        QCOMPARE(point->warnings.size(), std::size_t(2));
        QVERIFY(point->warnings[0].find(checkpointFileName(10)) != std::string::npos);
        QVERIFY(point->warnings[1].find("gone") != std::string::npos);
        std::filesystem::remove(fileOf(run, 8));
        const auto none = findResumePoint(*m_project, run, std::nullopt);
        QVERIFY(!none && none.error().kind == ErrorKind::Damaged);
    }

    void oneThatWasAskedForIsTakenOrNothing() {
        const RunRecord run = makeRun({9});
        const std::int64_t tenth = addRealCheckpoint(*m_project, run, 10);
        const std::int64_t eleventh = addRealCheckpoint(*m_project, run, 11);
        QCOMPARE(must(findResumePoint(*m_project, run, tenth)).iteration, std::int64_t(10));
        VERIFY_RESULT(writeFile(fileOf(run, 11), "no checkpoint"));
        QVERIFY(!findResumePoint(*m_project, run, eleventh));
        const auto missing = findResumePoint(*m_project, run, eleventh + 1);
        QVERIFY(!missing && missing.error().kind == ErrorKind::Usage);
    }
};

QTEST_GUILESS_MAIN(tst_ResumePoint)
#include "tst_ResumePoint.moc"
