#include "FakeEngine.h"
#include "HandMadeProject.h"
#include "app/workbench/MainWindow.h"
#include "app/workbench/MessageBar.h"
#include "app/workbench/runs/ColumnChooser.h"
#include "app/workbench/runs/ComparisonPanel.h"
#include "app/workbench/runs/RunsHead.h"
#include "app/workbench/runs/RunsPage.h"
#include "tests/support/TestData.h"
#include "widgets/plots/SeriesPlot.h"
#include "widgets/tables/QuietTable.h"
#include "widgets/theme/Theme.h"

#include <QAccessible>
#include <QAction>
#include <QCheckBox>
#include <QComboBox>
#include <QLineEdit>
#include <QListWidget>
#include <QtTest>

using namespace trainyard;

/// The page Runs in its window, over a project of its own for each test.
class tst_RunsPage : public QObject {
    Q_OBJECT
public:
    static void initMain() {
        static QTemporaryDir home; // settings of these tests are nobody else's
        qputenv("XDG_CONFIG_HOME", home.path().toLocal8Bit());
        QCoreApplication::setOrganizationName(QStringLiteral("TrainyardTest"));
    }

private Q_SLOTS:
    void initTestCase() { theme::apply(theme::Choice::Light); }

    void init() {
        m_project = std::make_unique<testing::ScratchFolder>();
        m_runs = testing::makeProject(m_project->path(), 300);
        open();
    }

    void cleanup() {
        m_window.reset();
        m_project.reset();
    }

    void filtersByAKeyOfTheConfiguration() {
        type(QStringLiteral("model.type:retinanet")); // configurations are read for it
        QTRY_COMPARE(page()->filter()->rowCount(), 1);
        QCOMPARE(page()->filter()->index(0, 0).data(RunsModel::RunRole).toLongLong(), m_runs.lost);
        type(QStringLiteral("word_accuracy>0.1"));
        QTRY_COMPARE(page()->filter()->rowCount(), 1); // the others were not evaluated yet, or find boxes
        QCOMPARE(page()->filter()->index(0, 0).data(RunsModel::RunRole).toLongLong(), m_runs.finished);
        type(QStringLiteral("word_acuracy>0.1"));
        QVERIFY(page()->head()->problem().contains(QStringLiteral("word_acuracy")));
    }

    void tagsOfSeveralRunsAreEditedTogetherAndUndone() {
        page()->table()->selectAll();
        page()->table()->setFocus();
        const int row = page()->model()->rowOf(m_runs.finished); // tagged "baseline"
        const QModelIndex cell = page()->model()->index(row, RunsModel::Tags);
        QVERIFY(page()->model()->setData(cell, QStringLiteral("baseline, good"), Qt::EditRole));
        QTRY_COMPARE(run(m_runs.finished).tags, (std::vector<std::string>{"baseline", "good"}));
        QTRY_COMPARE(run(m_runs.lost).tags, std::vector<std::string>{"good"});
        QVERIFY(m_window->messages()->current()->text.contains(QLatin1Char('3')));
        QTest::keyClick(m_window.get(), Qt::Key_Z, Qt::ControlModifier);
        QTRY_COMPARE(run(m_runs.finished).tags, std::vector<std::string>{"baseline"});
        QTRY_VERIFY(run(m_runs.lost).tags.empty());
        QTest::keyClick(m_window.get(), Qt::Key_Z, Qt::ControlModifier | Qt::ShiftModifier);
        QTRY_COMPARE(run(m_runs.stopped).tags, std::vector<std::string>{"good"});
    }

    void groupNotesAndColourAreKept() {
        choose(m_runs.stopped);
        RunsModel* model = page()->model();
        const int row = model->rowOf(m_runs.stopped);
        QVERIFY(model->setData(model->index(row, RunsModel::Group), QStringLiteral("wide"), Qt::EditRole));
        QVERIFY(model->setData(model->index(row, RunsModel::Notes), QStringLiteral("too wide"), Qt::EditRole));
        Q_EMIT page()->colourAsked(6);
        QTRY_COMPARE(run(m_runs.stopped).colour, std::int64_t(6));
        QCOMPARE(run(m_runs.stopped).group, std::string("wide"));
        QCOMPARE(run(m_runs.stopped).notes, std::string("too wide"));
        for (int step = 0; step < 3; ++step)
            m_window->actions().undo->trigger();
        QTRY_COMPARE(run(m_runs.stopped).group, std::string());
        QCOMPARE(run(m_runs.stopped).colour, std::int64_t(2)); // as it was made
    }

    void editsTheCellOfTheKey() {
        choose(m_runs.stopped);
        QTest::keyClick(m_window.get(), Qt::Key_T, Qt::ControlModifier);
        auto* editor = page()->table()->viewport()->findChild<QLineEdit*>();
        QVERIFY(editor);
        QTest::keyClicks(editor, QStringLiteral("wide"));
        QTest::keyClick(editor, Qt::Key_Return);
        QTRY_COMPARE(run(m_runs.stopped).tags, std::vector<std::string>{"wide"});
    }

    void deletedRunsCanBeFoundAndRestored() {
        choose(m_runs.stopped);
        m_window->actions().deleteRun->trigger();
        QTRY_COMPARE(page()->filter()->rowCount(), 2);
        m_window->messages()->putAway(); // the way back by the message is gone
        page()->head()->kind()->setCurrentIndex(int(RunsFilter::Kind::Deleted));
        QCOMPARE(page()->filter()->rowCount(), 1);
        page()->table()->selectAll();
        m_window->actions().restoreRun->trigger();
        QTRY_COMPARE(page()->filter()->rowCount(), 0);
        page()->head()->kind()->setCurrentIndex(int(RunsFilter::Kind::All));
        QCOMPARE(page()->filter()->rowCount(), 3);
    }

    void comparesWhatIsTickedByKey() {
        page()->table()->selectAll();
        QTest::keyClick(m_window.get(), Qt::Key_D, Qt::ControlModifier);
        QCOMPARE(page()->model()->ticked().size(), 3);
        auto* plot = page()->findChild<SeriesPlot*>();
        QTRY_COMPARE(plot->data().curves.size(), std::size_t(3));
        ComparisonModel* keys = page()->comparison()->model(ComparisonPanel::Configuration);
        QTRY_COMPARE(keys->rowCount(), 1); // the type of the model alone differs
        QCOMPARE(keys->index(0, 0).data().toString(), QStringLiteral("model.type"));
        page()->comparison()->showAll()->setChecked(true);
        QVERIFY(keys->rowCount() > 50);
        // the noise of the losses is drawn from the iteration and the run's floor, so they part at the first one
        QTRY_VERIFY(page()->comparison()->partingText().contains(QStringLiteral("iteration 1.")));
        QTest::keyClick(m_window.get(), Qt::Key_D, Qt::ControlModifier);
        QVERIFY(page()->model()->ticked().isEmpty());
        QTRY_COMPARE(page()->comparison()->partingText(), QString());
    }

    void everythingHasAName() {
        for (const QWidget* widget : page()->findChildren<QWidget*>()) {
            const bool isReached = widget->focusPolicy() & Qt::TabFocus;
            if (!isReached || !widget->isVisible() || widget->objectName().startsWith(QLatin1String("qt_")))
                continue;
            const auto* interface = QAccessible::queryAccessibleInterface(const_cast<QWidget*>(widget));
            QVERIFY2(interface && !interface->text(QAccessible::Name).isEmpty(), widget->metaObject()->className());
        }
    }

private:
    void open() {
        m_window = std::make_unique<MainWindow>();
        m_window->engine().setEngine(std::make_shared<testing::FakeEngine>());
        m_window->resize(1280, 800);
        m_window->show();
        QVERIFY(QTest::qWaitForWindowExposed(m_window.get()));
        m_window->openProject(m_project->path(), false);
        QTRY_VERIFY(m_window->store().isOpen());
        m_window->showPage(MainWindow::Runs);
        QTRY_COMPARE(page()->model()->rowCount(), 3);
    }
    RunsPage* page() { return m_window->runsPage(); }
    void type(const QString& words) { page()->head()->search()->setText(words); }
    void choose(std::int64_t run) {
        m_window->store().setShownRun(run);
        page()->table()->setFocus();
        QTRY_COMPARE(page()->selected(), std::vector<std::int64_t>{run});
    }
    RunRecord run(std::int64_t id) {
        const RunRecord* found = m_window->store().snapshot()->find(id);
        return found ? *found : RunRecord();
    }

    std::unique_ptr<testing::ScratchFolder> m_project;
    testing::HandMadeRuns m_runs;
    std::unique_ptr<MainWindow> m_window;
};

QTEST_MAIN(tst_RunsPage)
#include "tst_RunsPage.moc"
