#include "FakeEngine.h"
#include "HandMadeProject.h"
#include "app/workbench/CommandBar.h"
#include "app/workbench/MainWindow.h"
#include "app/workbench/MessageBar.h"
#include "app/workbench/checkpoints/CheckpointsPage.h"
#include "app/workbench/configure/ConfigurePage.h"
#include "app/workbench/monitor/MonitorPage.h"
#include "app/workbench/runs/RunsPage.h"
#include "tests/support/TestData.h"
#include "widgets/plots/PlotBoard.h"
#include "widgets/plots/SeriesPlot.h"
#include "widgets/tables/QuietTable.h"
#include "widgets/theme/Theme.h"

#include <QAction>
#include <QtTest>

using namespace trainyard;

class tst_MainWindow : public QObject {
    Q_OBJECT
public:
    static void initMain() {
        static QTemporaryDir home; // settings of these tests are nobody else's
        qputenv("XDG_CONFIG_HOME", home.path().toLocal8Bit());
        QCoreApplication::setOrganizationName(QStringLiteral("TrainyardTest"));
    }

private Q_SLOTS:
    void initTestCase() {
        theme::apply(theme::Choice::Light);
        m_runs = testing::makeProject(m_project.path(), 600);
    }

    void init() {
        m_engine = std::make_shared<testing::FakeEngine>();
        m_window = std::make_unique<MainWindow>();
        m_window->engine().setEngine(m_engine);
        m_window->resize(1280, 800);
        m_window->show();
        QVERIFY(QTest::qWaitForWindowExposed(m_window.get()));
    }

    void cleanup() { m_window.reset(); }

    void withoutAProjectItTeachesTheNextStep() {
        m_window->showPage(MainWindow::Runs);
        QVERIFY(!m_window->actions().start->isEnabled());
        QVERIFY(m_window->actions().openProject->isEnabled());
        QVERIFY(!m_window->actions().stop->isEnabled());
    }

    void everyShortcutIsGivenOnce() {
        QMap<QString, QString> owners;
        for (const QAction* action : m_window->actions().all())
            for (const QKeySequence& shortcut : action->shortcuts()) {
                if (shortcut.isEmpty() || shortcut == QKeySequence(QKeySequence::Delete)) // one on each page
                    continue;
                const QString key = shortcut.toString();
                QVERIFY2(!owners.contains(key), qPrintable(key + QStringLiteral(": ") + action->text()));
                owners[key] = action->text();
            }
        for (const char* key :
             {"Ctrl+N", "Ctrl+O", "Ctrl+Return", "Ctrl+P", "Ctrl+.", "Ctrl+Shift+S", "Ctrl+1", "Ctrl+5", "Ctrl+F",
              "Ctrl+K", "F1", "F2", "F5", "F9", "Ctrl+L", "Ctrl+Z", "Ctrl+Shift+Z", "Ctrl++", "Ctrl+-"})
            QVERIFY2(owners.contains(QLatin1String(key)), key);
    }

    void keysOpenThePages() {
        open();
        for (int page = 0; page < 5; ++page) {
            QTest::keyClick(m_window.get(), Qt::Key(Qt::Key_1 + page), Qt::ControlModifier);
            QCOMPARE(int(m_window->page()), page);
            QVERIFY(m_window->actions().pages[std::size_t(page)]->isChecked());
        }
    }

    void showsTheRunsOfTheProject() {
        open();
        QCOMPARE(m_window->runsPage()->model()->rowCount(), 3);
        QCOMPARE(m_window->runsPage()->model()->runAt(1)->status, RunStatus::Lost); // nobody holds its lock
        m_window->store().setShownRun(m_runs.finished);
        QTRY_VERIFY(m_window->checkpointsPage()->model()->rowCount() > 3);
    }

    void drawsAnEndedRun() {
        open();
        m_window->showPage(MainWindow::Monitor);
        m_window->store().setShownRun(m_runs.lost);
        SeriesPlot* loss = m_window->monitorPage()->board()->plots().front();
        QTRY_COMPARE(loss->data().curves.size(), std::size_t(3)); // total, classification, box
        QTRY_COMPARE(loss->data().curves.front().lastIteration, std::int64_t(360));
        m_window->store().setShownRun(m_runs.finished);
        QTRY_VERIFY(!loss->data().curves.empty() && loss->data().curves.front().lastIteration == 600);
        QCOMPARE(loss->data().curves.size(), std::size_t(1)); // its one part is the loss itself
        const auto* metric = m_window->monitorPage()->board()->findChild<SeriesPlot*>(QStringLiteral("metric"));
        QTRY_COMPARE(metric->data().curves.size(), std::size_t(1)); // shares alone: no total of 200 beside them
        QCOMPARE(metric->data().curves.front().key, QStringLiteral("metric/word_accuracy"));
        QCOMPARE(loss->marks(QStringLiteral("resume")), 1);
        QVERIFY(!loss->data().curves.front().abandoned.empty());
    }

    void comparesTickedRuns() {
        open();
        m_window->showPage(MainWindow::Runs);
        m_window->runsPage()->model()->setTicked({m_runs.finished, m_runs.stopped});
        auto* plot = m_window->runsPage()->findChild<SeriesPlot*>();
        QTRY_COMPARE(plot->data().curves.size(), std::size_t(2));
        QVERIFY(plot->data().curves[0].colour != plot->data().curves[1].colour);
    }

    void startsWithOneKeyAndShowsTheMonitor() {
        open();
        m_window->configurePage()->document()->begin(
            QStringLiteral("data:\n  train:\n    - {format: rendered-words}\n"));
        m_window->configurePage()->setRunName(QStringLiteral("mine"));
        QTRY_VERIFY(m_window->actions().start->isEnabled());
        QTest::keyClick(m_window.get(), Qt::Key_Return, Qt::ControlModifier);
        QTRY_COMPARE(m_engine->requests().size(), std::size_t(1));
        QCOMPARE(m_engine->requests()[0].name, std::string("mine"));
        QCOMPARE(m_engine->requests()[0].config.data.train[0].format, std::string("rendered-words"));
        QTRY_COMPARE(m_window->page(), MainWindow::Monitor);
        QTRY_VERIFY(m_window->actions().stop->isEnabled());
        QVERIFY(!m_window->actions().start->isEnabled());
    }

    void doesNotStartWhatIsWrong() {
        open();
        m_window->configurePage()->document()->begin(QStringLiteral("solve:\n  iteratons: 3\n"));
        m_window->showPage(MainWindow::Monitor);
        QTRY_VERIFY(m_window->actions().start->isEnabled());
        m_window->actions().start->trigger();
        QCOMPARE(m_window->page(), MainWindow::Configure);
        QCOMPARE(m_window->messages()->current()->id, QStringLiteral("start"));
        QVERIFY(m_engine->requests().empty());
        m_window->configurePage()->document()->begin(QStringLiteral("solve:\n  iterations: 3\n"));
        QVERIFY(!m_window->messages()->current()); // it is mended
    }

    void pausesGoesOnAndStops() {
        open();
        setState(RunStatus::Running);
        QTRY_VERIFY(m_window->actions().pause->isEnabled());
        QTest::keyClick(m_window.get(), Qt::Key_P, Qt::ControlModifier);
        QCOMPARE(m_engine->commands().back(), Command::Kind::Pause);
        setState(RunStatus::Paused);
        QTRY_COMPARE(m_window->actions().pause->text(), QStringLiteral("Go On"));
        m_window->actions().pause->trigger();
        QCOMPARE(m_engine->commands().back(), Command::Kind::Resume);
        m_window->actions().checkpointNow->trigger();
        QCOMPARE(m_engine->commands().back(), Command::Kind::CheckpointNow);
        QTest::keyClick(m_window.get(), Qt::Key_Period, Qt::ControlModifier);
        QCOMPARE(m_engine->commands().back(), Command::Kind::Stop);
        setState(RunStatus::Stopping);
        QTRY_VERIFY(!m_window->actions().stop->isEnabled());
    }

    void resumesALostRun() {
        open();
        m_window->store().setShownRun(m_runs.lost);
        QTRY_VERIFY(m_window->actions().resume->isEnabled());
        m_window->actions().resume->trigger();
        QTRY_COMPARE(m_engine->requests().size(), std::size_t(1));
        QCOMPARE(*m_engine->requests()[0].run, m_runs.lost);
        m_engine->setState({});
    }

    void saysWhyARunFailed() {
        open();
        m_window->configurePage()->document()->begin(
            QStringLiteral("data:\n  train:\n    - {format: rendered-words}\n"));
        QTRY_VERIFY(m_window->actions().start->isEnabled());
        m_window->actions().start->trigger();
        QTRY_COMPARE(m_engine->requests().size(), std::size_t(1));
        EngineState failed;
        failed.run = 1;
        failed.status = RunStatus::Failed;
        failed.error = Error{ErrorKind::NonFinite, "The loss is NaN.", "iteration 12", "Lower the rate."};
        m_engine->setState(failed);
        QTRY_VERIFY(m_window->messages()->current() && m_window->messages()->current()->id == QLatin1String("failed"));
        QVERIFY(m_window->messages()->current()->text.contains(QStringLiteral("The loss is NaN.")));
        QTRY_VERIFY(m_window->actions().start->isEnabled());
    }

    void saysWhyAStartWasRefused() {
        open();
        m_engine->refuse({ErrorKind::Damaged, "The project is locked.", "here", "Close the other program."});
        m_window->configurePage()->document()->begin(
            QStringLiteral("data:\n  train:\n    - {format: rendered-words}\n"));
        QTRY_VERIFY(m_window->actions().start->isEnabled());
        m_window->actions().start->trigger();
        QTRY_VERIFY(m_window->messages()->current() &&
                    m_window->messages()->current()->text.contains(QStringLiteral("The project is locked.")));
    }

    void deletingARunCanBeUndone() {
        open();
        m_window->showPage(MainWindow::Runs);
        RunsPage* page = m_window->runsPage();
        m_window->store().setShownRun(m_runs.stopped);
        page->table()->setFocus();
        QTRY_COMPARE(page->selected(), std::vector<std::int64_t>{m_runs.stopped});
        m_window->actions().deleteRun->trigger();
        QTRY_COMPARE(page->filter()->rowCount(), 2);
        QVERIFY(m_window->messages()->current()->id.startsWith(QLatin1String("undo")));
        QTest::keyClick(m_window.get(), Qt::Key_Z, Qt::ControlModifier);
        QTRY_COMPARE(page->filter()->rowCount(), 3);
    }

    void aRunThatTrainsIsNotDeleted() {
        open();
        m_window->store().setShownRun(m_runs.stopped);
        setState(RunStatus::Running, m_runs.stopped);
        QTRY_VERIFY(m_window->engine().isBusy());
        QTRY_COMPARE(m_window->runsPage()->selected(), std::vector<std::int64_t>{m_runs.stopped});
        m_window->actions().deleteRun->trigger();
        QCOMPARE(m_window->messages()->current()->id, QStringLiteral("delete"));
        QCOMPARE(m_window->runsPage()->model()->rowCount(), 3);
        m_engine->setState({});
    }

    void pinsAndDeletesCheckpoints() {
        open();
        m_window->showPage(MainWindow::Checkpoints);
        m_window->store().setShownRun(m_runs.finished);
        CheckpointsPage* page = m_window->checkpointsPage();
        QTRY_VERIFY(page->model()->rowCount() > 3);
        const int count = page->model()->rowCount();
        const std::int64_t id = page->model()->at(0)->id;
        page->select(id);
        QCOMPARE(page->selected().size(), std::size_t(1));
        m_window->actions().pin->trigger();
        QTRY_VERIFY(page->model()->at(page->model()->rowOf(id))->isPinned);
        m_window->actions().pin->trigger();
        QTRY_VERIFY(!page->model()->at(page->model()->rowOf(id))->isPinned);
        m_window->actions().deleteCheckpoint->trigger();
        QTRY_COMPARE(page->model()->rowCount(), count - 1);
        m_window->messages()->act();
        QTRY_COMPARE(page->model()->rowCount(), count);
    }

    void renamingCanBeUndone() {
        open();
        RunsModel* model = m_window->runsPage()->model();
        QVERIFY(model->setData(model->index(0, RunsModel::Name), QStringLiteral("other"), Qt::EditRole));
        QTRY_COMPARE(model->runAt(0)->name, std::string("other"));
        m_window->messages()->act();
        QTRY_COMPARE(model->runAt(0)->name, std::string("crnn-words"));
    }

    void closingWhileTrainingSavesFirst() {
        open();
        setState(RunStatus::Running);
        QTRY_VERIFY(m_window->engine().isBusy());
        QVERIFY(!m_window->close());
        QVERIFY(m_window->isVisible());
        QCOMPARE(m_engine->commands().back(), Command::Kind::Stop);
        QCOMPARE(m_window->messages()->current()->id, QStringLiteral("closing"));
        EngineState stopped;
        stopped.status = RunStatus::Stopped;
        m_engine->setState(stopped);
        QTRY_VERIFY(!m_window->isVisible());
    }

    void comesBackToTheSamePlace() {
        open();
        m_window->showPage(MainWindow::Checkpoints);
        m_window->store().setShownRun(m_runs.finished);
        m_window->monitorPage()->board()->setView({.isAll = false, .followsEnd = false, .from = 100, .to = 200});
        m_window->configurePage()->document()->begin(QStringLiteral("seed: 99\n"));
        QTRY_COMPARE(m_window->store().snapshot()->shownRun, m_runs.finished);
        QVERIFY(m_window->close());
        m_window.reset(); // writes what it was asked to write
        init();
        open();
        QCOMPARE(m_window->page(), MainWindow::Checkpoints);
        QCOMPARE(m_window->store().shownRun(), m_runs.finished);
        QCOMPARE(m_window->monitorPage()->board()->view().to, 200.0);
        QCOMPARE(m_window->configurePage()->document()->text(), QStringLiteral("seed: 99\n"));
    }

    void theDemonstrationStartsOnceAndResumesAfterwards() {
        testing::ScratchFolder empty;
        m_window->carryOut(
            {.project = empty.path() / "demo", .create = true, .preset = QStringLiteral("crnn-demo"), .runName = {}});
        QTRY_COMPARE(m_engine->requests().size(), std::size_t(1));
        QCOMPARE(m_engine->requests()[0].name, std::string("crnn-demo"));
        QVERIFY(!m_engine->requests()[0].run);
        m_engine->setState({});
        m_window.reset();

        auto project = Project::open(empty.path() / "demo", Project::Mode::ReadWrite);
        VERIFY_RESULT(project);
        NewRun run;
        run.name = "crnn-demo";
        run.iterations = 3000;
        const auto made = (*project)->createRun(run);
        VERIFY_RESULT(made);
        VERIFY_RESULT((*project)->setStatus(made->id, RunStatus::Stopped));
        init();
        m_window->carryOut(
            {.project = empty.path() / "demo", .create = true, .preset = QStringLiteral("crnn-demo"), .runName = {}});
        QTRY_COMPARE(m_engine->requests().size(), std::size_t(1));
        QCOMPARE(*m_engine->requests()[0].run, made->id);
        m_engine->setState({});
        m_window.reset();

        VERIFY_RESULT((*project)->setStatus(made->id, RunStatus::Finished));
        init();
        m_window->carryOut(
            {.project = empty.path() / "demo", .create = true, .preset = QStringLiteral("crnn-demo"), .runName = {}});
        QTRY_COMPARE(m_window->page(), MainWindow::Monitor);
        QTRY_COMPARE(m_window->store().shownRun(), made->id);
        QVERIFY(m_engine->requests().empty());
    }

    void aFolderWithoutAProjectIsAnErrorWithASentence() {
        testing::ScratchFolder empty;
        m_window->openProject(empty.path() / "nothing", false);
        QTRY_VERIFY(m_window->messages()->current() && m_window->messages()->current()->id == QLatin1String("open"));
        QVERIFY(!m_window->store().isOpen());
    }

private:
    void open() {
        m_window->openProject(m_project.path(), false);
        QTRY_VERIFY(m_window->store().isOpen());
        QTRY_COMPARE(m_window->runsPage()->model()->rowCount(), 3);
    }
    void setState(RunStatus status, std::int64_t run = 3) {
        EngineState state;
        state.isBusy = true;
        state.run = run;
        state.status = status;
        state.step.iteration = 10;
        m_engine->setState(state);
    }

    testing::ScratchFolder m_project;
    testing::HandMadeRuns m_runs;
    std::shared_ptr<testing::FakeEngine> m_engine;
    std::unique_ptr<MainWindow> m_window;
};

QTEST_MAIN(tst_MainWindow)
#include "tst_MainWindow.moc"
