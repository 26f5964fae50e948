// What the window says, and offers, when something is wrong.
#include "FakeEngine.h"
#include "HandMadeProject.h"
#include "app/workbench/MainWindow.h"
#include "app/workbench/MessageBar.h"
#include "app/workbench/log/LogPanel.h"
#include "app/workbench/monitor/MonitorPage.h"
#include "app/workbench/resume/ResumeDialog.h"
#include "app/workbench/runs/RunsPage.h"
#include "core/base/AtomicFile.h"
#include "tests/support/TestData.h"
#include "widgets/plots/PlotBoard.h"
#include "widgets/plots/SeriesPlot.h"

#include <QAction>
#include <QCheckBox>
#include <QPushButton>
#include <QScopeGuard>
#include <QSpinBox>
#include <QtTest>

#include <unistd.h>

using namespace trainyard;

namespace {

constexpr uid_t kNobody = 65534;

} // namespace

class tst_WindowStates : public QObject {
    Q_OBJECT
public:
    static void initMain() {
        static QTemporaryDir home; // settings of these tests are nobody else's
        qputenv("XDG_CONFIG_HOME", home.path().toLocal8Bit());
        QCoreApplication::setOrganizationName(QStringLiteral("TrainyardTest"));
    }

private Q_SLOTS:
    void init() {
        m_folder = std::make_unique<testing::ScratchFolder>();
        m_runs = testing::makeProject(m_folder->path(), 120);
        m_engine = std::make_shared<testing::FakeEngine>();
        m_window = std::make_unique<MainWindow>();
        m_window->engine().setEngine(m_engine);
        m_window->resize(1280, 800);
        m_window->show();
        QVERIFY(QTest::qWaitForWindowExposed(m_window.get()));
    }

    void cleanup() {
        m_window.reset();
        m_folder.reset();
    }

    void aDamagedIndexIsMadeAnew() {
        VERIFY_RESULT(writeFile(m_folder->path() / "project.sqlite", std::string(5000, 'x')));
        m_window->openProject(m_folder->path(), false);
        QTRY_COMPARE(message("open").button, QStringLiteral("Rebuild Project"));
        QVERIFY2(message("open").text.contains(QStringLiteral("project.sqlite")), qPrintable(message("open").text));
        m_window->messages()->act();
        QTRY_VERIFY(m_window->store().isOpen());
        QTRY_COMPARE(m_window->runsPage()->model()->rowCount(), 3);
        QTRY_VERIFY(message("rebuilt").text.contains(QStringLiteral("crnn-words"))); // what was saved
        m_window->messages()->putAway();
        QVERIFY(!m_window->messages()->current() || m_window->messages()->current()->id != QLatin1String("open"));
    }

    /// Without rights over its folder and files, then with them: what was looked at only can be changed.
    void aProjectThatBecomesWritableIsWrittenTo() {
        const auto folder = m_folder->path();
        VERIFY_RESULT(writeFile(folder / "project.sqlite-wal", "")); // as a program leaves them that died
        VERIFY_RESULT(writeFile(folder / "project.sqlite-shm", ""));
        using std::filesystem::perms;
        const auto readable = perms::owner_read | perms::group_read | perms::others_read;
        const auto enterable = readable | perms::owner_exec | perms::group_exec | perms::others_exec;
        const auto allow = [&](perms write) {
            std::filesystem::permissions(folder, enterable | write);
            for (const char* name : {"project.sqlite", "project.sqlite-wal", "project.sqlite-shm"})
                std::filesystem::permissions(folder / name, readable | write);
        };
        allow(perms::none);
        const uid_t self = ::geteuid();
        if (self == 0)
            QVERIFY(::seteuid(kNobody) == 0); // root may write everywhere
        const auto withRights = qScopeGuard([self] {
            if (::seteuid(self) != 0)
                qFatal("the rights do not come back");
        });
        m_window->openProject(folder, false);
        QTRY_COMPARE(message("read-only").button, QStringLiteral("Try Again"));
        QVERIFY(!m_window->actions().start->isEnabled());
        QVERIFY(::seteuid(self) == 0);
        allow(perms::owner_write);
        m_window->messages()->act();
        QTRY_VERIFY(!m_window->store().snapshot()->isReadOnly);
        bool isTagged = false;
        m_window->store().perform([this](Project& each) { return each.setTags(m_runs.stopped, {"later"}); },
                                  [&isTagged] { isTagged = true; });
        QTRY_VERIFY(isTagged);
    }

    void whatIsNoProjectCanBeTriedAgain() {
        testing::ScratchFolder empty;
        m_window->openProject(empty.path() / "later", false);
        QTRY_COMPARE(message("open").button, QStringLiteral("Try Again"));
        VERIFY_RESULT(Project::open(empty.path() / "later", Project::Mode::ReadWrite, true));
        m_window->messages()->act();
        QTRY_VERIFY(m_window->store().isOpen());
    }

    void pointsThatCannotBeReadSaySo() {
        open();
        const auto record = m_window->store().snapshot()->find(m_runs.stopped);
        VERIFY_RESULT(writeFile(m_folder->path() / record->folder / "series.sqlite", std::string(5000, 'x')));
        m_window->showPage(MainWindow::Monitor);
        m_window->store().setShownRun(m_runs.finished);
        m_window->store().setShownRun(m_runs.stopped);
        QTRY_VERIFY(message("monitor").text.contains(QStringLiteral("series.sqlite")));
        m_window->store().setShownRun(m_runs.finished); // the others are well
        QTRY_VERIFY(!m_window->monitorPage()->board()->plots().front()->data().curves.empty());
    }

    void anOwnerThatDiesMeanwhileIsTold() {
        auto project = Project::open(m_folder->path(), Project::Mode::ReadWrite);
        VERIFY_RESULT(project);
        const auto run = (*project)->run(m_runs.stopped);
        VERIFY_RESULT(run);
        auto lock = RunLock::acquire(m_folder->path() / run->folder);
        VERIFY_RESULT(lock);
        VERIFY_RESULT((*project)->setStatus(m_runs.stopped, RunStatus::Running));
        open();
        m_window->store().setShownRun(m_runs.stopped);
        QTRY_VERIFY(m_window->store().snapshot()->find(m_runs.stopped)->status == RunStatus::Running);
        lock->reset(); // as a kill does
        QTRY_VERIFY(message("lost").text.contains(QStringLiteral("crnn-wide #3")));
        QTRY_VERIFY(m_window->actions().resume->isEnabled());
        m_window->messages()->act();
        QTRY_COMPARE(m_engine->requests().size(), std::size_t(1));
        QCOMPARE(*m_engine->requests()[0].run, m_runs.stopped);
        m_engine->setState({});
    }

    void aRunThatDiedBeforeItsFirstCheckpointStartsOver() {
        auto project = Project::open(m_folder->path(), Project::Mode::ReadWrite);
        VERIFY_RESULT(project);
        const auto saved = (*project)->checkpoints(m_runs.lost);
        VERIFY_RESULT(saved);
        open();
        m_window->store().setShownRun(m_runs.lost);
        QTRY_VERIFY(m_window->store().snapshot()->shownRun == m_runs.lost);
        QVERIFY(m_window->store().snapshot()->startsOver.empty());
        for (const CheckpointRecord& each : *saved)
            VERIFY_RESULT((*project)->removeCheckpointNow(each.id));
        QTRY_COMPARE(m_window->store().snapshot()->startsOver, std::set<std::int64_t>{m_runs.lost});
        m_window->openProject(m_folder->path(),
                              false); // remembers the shown run, and offers it though it is not newest
        QTRY_COMPARE(message("lost").button, QStringLiteral("Start Over"));
        QVERIFY(message("lost").text.contains(QStringLiteral("died before its first checkpoint")));
        m_window->messages()->act();
        QTRY_COMPARE(m_engine->requests().size(), std::size_t(1));
        QCOMPARE(*m_engine->requests()[0].run, m_runs.lost);
        m_engine->setState({});
    }

    void goesOnThoughTheDataChangedWhenToldTo() {
        open();
        m_window->store().setShownRun(m_runs.stopped);
        QTRY_VERIFY(m_window->actions().resumeChanged->isEnabled());
        m_window->actions().resumeChanged->trigger();
        auto* dialog = m_window->findChild<ResumeDialog*>();
        QVERIFY(dialog);
        dialog->further()->setValue(5);
        dialog->go()->click();
        QTRY_COMPARE(m_engine->requests().size(), std::size_t(1));
        QVERIFY(!m_engine->requests()[0].acceptChanges);
        EngineState refused;
        refused.run = m_runs.stopped;
        refused.status = RunStatus::Failed;
        refused.error = Error{ErrorKind::Usage, "It would not go on exactly. train data cells: 1 sample added (a.jpg).",
                              "run 3", "To go on all the same: --accept-changes."};
        refused.isChangeRefused = true;
        m_engine->setState(refused);
        QTRY_COMPARE(message("failed").button, QStringLiteral("Go On All the Same"));
        QVERIFY(message("failed").text.contains(QStringLiteral("1 sample added (a.jpg)")));
        QVERIFY(!message("failed").text.contains(QStringLiteral("--accept-changes"))); // the button is the way out
        m_window->messages()->act();
        QTRY_COMPARE(m_engine->requests().size(), std::size_t(2));
        QVERIFY(m_engine->requests()[1].acceptChanges);
        QCOMPARE(m_engine->requests()[1].further, std::int64_t(5)); // what was asked for before is not lost
        QCOMPARE(*m_engine->requests()[1].run, m_runs.stopped);
        m_engine->setState({});
    }

    void aRunThatCouldNotStartIsNotCalledARun() {
        open();
        m_window->store().setShownRun(m_runs.stopped);
        QTRY_VERIFY(m_window->actions().resume->isEnabled());
        m_window->actions().resume->trigger();
        QTRY_COMPARE(m_engine->requests().size(), std::size_t(1));
        EngineState gone;
        gone.run = 9;
        gone.status = RunStatus::Failed;
        gone.isDiscarded = true;
        gone.error = Error{ErrorKind::Data, "There are no samples in it.", "/cells", "Check the path and its part."};
        m_engine->setState(gone);
        QTRY_VERIFY(message("failed").text.contains(QStringLiteral("nothing of it was kept")));
        QVERIFY(message("failed").text.contains(QStringLiteral("There are no samples in it.")));
    }

    void aFinishedRunIsTrainedFurther() {
        open();
        m_window->store().setShownRun(m_runs.finished);
        QTRY_VERIFY(m_window->actions().further->isEnabled());
        QVERIFY(!m_window->actions().resume->isVisible());
        m_window->actions().further->trigger();
        auto* dialog = m_window->findChild<ResumeDialog*>();
        QVERIFY(dialog);
        dialog->further()->setValue(77);
        dialog->go()->click();
        QTRY_COMPARE(m_engine->requests().size(), std::size_t(1));
        QCOMPARE(m_engine->requests()[0].further, std::int64_t(77));
        QCOMPARE(*m_engine->requests()[0].run, m_runs.finished);
        m_engine->setState({});
    }

    void theLogShowsTheShownRunsHistory() {
        open();
        m_window->store().setShownRun(m_runs.finished);
        QTRY_VERIFY(m_window->logPanel()->windowTitle().contains(QStringLiteral("crnn-words #1")));
        QTRY_VERIFY(m_window->logPanel()->text().contains(QStringLiteral("evaluation")) ||
                    m_window->logPanel()->text().contains(QStringLiteral("Finished"), Qt::CaseInsensitive));
    }

private:
    void open() {
        m_window->openProject(m_folder->path(), false);
        QTRY_VERIFY(m_window->store().isOpen());
        QTRY_COMPARE(m_window->runsPage()->model()->rowCount(), 3);
    }
    /// The message in sight, if it is the one of that name.
    Message message(const char* id) const {
        const Message* current = m_window->messages()->current();
        return current && current->id == QLatin1String(id) ? *current : Message();
    }

    std::unique_ptr<testing::ScratchFolder> m_folder;
    testing::HandMadeRuns m_runs;
    std::shared_ptr<testing::FakeEngine> m_engine;
    std::unique_ptr<MainWindow> m_window;
};

QTEST_MAIN(tst_WindowStates)
#include "tst_WindowStates.moc"
