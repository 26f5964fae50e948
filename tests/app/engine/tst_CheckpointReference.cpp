#include "app/engine/CheckpointReference.h"
#include "core/base/AtomicFile.h"
#include "tests/core/project/ProjectFixture.h"

using namespace trainyard;
using testing::aRun;
using testing::makeProject;
using testing::must;

namespace {

namespace fs = std::filesystem;

void addCheckpoint(Project& project, std::int64_t run, std::int64_t iteration) {
    const std::string name = "checkpoints/iteration-0000000" + std::to_string(iteration) + ".pth";
    const auto written = writeFile(project.folder() / project.run(run)->folder / name, "bytes");
    if (!written || !project.addCheckpoint(run, {iteration, name, 5, 77}))
        qFatal("a checkpoint could not be made");
}

} // namespace

/// Runs 1 "words" with checkpoints 2 (deleted), 4 (best), 8; 2 "at@home" with 3, whose file is gone; 3 without any.
class tst_CheckpointReference : public QObject {
    Q_OBJECT
    testing::ScratchFolder m_folder;
    std::unique_ptr<Project> m_project;

private Q_SLOTS:
    void initTestCase() {
        m_project = makeProject(m_folder.path());
        for (const char* name : {"words", "at@home", "empty"})
            VERIFY_RESULT(m_project->createRun(aRun(name)));
        for (const std::int64_t iteration : {2, 4, 8})
            addCheckpoint(*m_project, 1, iteration);
        addCheckpoint(*m_project, 2, 3);
        VERIFY_RESULT(m_project->deleteCheckpoint(1));
        VERIFY_RESULT(m_project->setMetric(1, 4, 0.5, true));
        fs::remove(m_folder / "runs/2-at@home/checkpoints/iteration-00000003.pth");
    }

    void findsAndRefuses_data() {
        QTest::addColumn<QString>("reference");
        QTest::addColumn<int>("state");
        QTest::addColumn<QString>("label");    ///< empty: refused
        QTest::addColumn<QString>("fragment"); ///< of the sentence
        const int loadable = int(CheckpointState::Loadable), listed = int(CheckpointState::Listed),
                  deleted = int(CheckpointState::Deleted);
        QTest::newRow("by number and iteration") << "1@4" << loadable << "1@4"
                                                 << "";
        QTest::newRow("by name") << "words@8" << listed << "1@8"
                                 << "";
        QTest::newRow("best") << "words@best" << listed << "1@4"
                              << "";
        QTest::newRow("newest") << "1@newest" << listed << "1@8"
                                << "";
        QTest::newRow("a name with an @") << "at@home@3" << listed << "2@3"
                                          << "";
        QTest::newRow("its file is gone") << "2@3" << loadable << ""
                                          << "file is missing";
        QTest::newRow("its file") << "FOLDER/runs/1-words/checkpoints/iteration-00000008.pth" << listed << "1@8"
                                  << "";
        QTest::newRow("its file, by another way")
            << "FOLDER/runs/../runs/1-words/checkpoints/iteration-00000004.pth" << loadable << "1@4"
            << "";
        QTest::newRow("somebody's file") << "FOLDER/project.sqlite" << listed << ""
                                         << "no checkpoint of this project";
        QTest::newRow("a deleted one") << "1@2" << deleted << "1@2"
                                       << "";
        QTest::newRow("a deleted one is not listed") << "1@2" << listed << ""
                                                     << "no such checkpoint";
        QTest::newRow("one that was not deleted") << "1@4" << deleted << ""
                                                  << "deleted";
        QTest::newRow("a number alone is a run") << "1" << listed << ""
                                                 << "names a run";
        QTest::newRow("and stays one where there is no such run") << "8" << listed << ""
                                                                  << "8@ITERATION";
        QTest::newRow("a run's name alone") << "words" << listed << ""
                                            << "words@ITERATION";
        QTest::newRow("no such iteration") << "1@5" << listed << ""
                                           << "no such checkpoint";
        QTest::newRow("no iteration") << "1@last" << listed << ""
                                      << "RUN@newest";
        QTest::newRow("no such run") << "nobody@4" << listed << ""
                                     << "nobody";
        QTest::newRow("nonsense") << "nobody" << listed << ""
                                  << "RUN@ITERATION";
    }
    void findsAndRefuses() {
        QFETCH(QString, reference);
        QFETCH(int, state);
        QFETCH(QString, label);
        QFETCH(QString, fragment);
        const std::string typed =
            reference.replace("FOLDER", QString::fromStdString(m_folder.path().string())).toStdString();
        const auto found = findCheckpointRecord(*m_project, typed, CheckpointState(state));
        if (!label.isEmpty()) {
            VERIFY_RESULT(found);
            QCOMPARE(checkpointLabel(*found), label.toStdString());
            return;
        }
        QVERIFY(!found);
        const std::string sentence = found.error().sentence();
        QVERIFY2(sentence.find(fragment.toStdString()) != std::string::npos, sentence.c_str());
    }

    void aRunsOwnCheckpointNeedsNoName() {
        const auto run = must(m_project->run(1));
        for (const auto& [typed, label] : {std::pair("@4", "1@4"),
                                           {"best", "1@4"},
                                           {"newest", "1@8"},
                                           {"words@8", "1@8"},
                                           {"iteration-00000008.pth", "1@8"}}) {
            const auto found = findCheckpointOfRun(*m_project, run, typed);
            VERIFY_RESULT(found);
            QCOMPARE(checkpointLabel(*found), std::string(label));
        }
        const auto refused = findCheckpointOfRun(*m_project, run, "4");
        QVERIFY(!refused && refused.error().sentence().find("Say @4;") != std::string::npos);
        QVERIFY(!findCheckpointOfRun(*m_project, run, "empty@4"));
    }

    void aRunStandsForItsBestCheckpoint() {
        QCOMPARE(findCheckpoint(m_project.get(), "1")->record->report.iteration, 4);
        QCOMPARE(findCheckpoint(m_project.get(), "words@8")->record->report.iteration, 8);
        QVERIFY(findCheckpoint(m_project.get(), "empty").error().sentence().find("no checkpoint yet") !=
                std::string::npos);
        QCOMPARE(exitCode(findCheckpoint(nullptr, "nowhere.pth").error().kind), 5);
    }
};

QTEST_GUILESS_MAIN(tst_CheckpointReference)
#include "tst_CheckpointReference.moc"
