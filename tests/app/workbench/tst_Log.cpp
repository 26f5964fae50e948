#include "app/workbench/log/LogPanel.h"
#include "core/base/Log.h"
#include "widgets/tables/QuietTable.h"

#include <QAbstractItemModelTester>
#include <QApplication>
#include <QClipboard>
#include <QComboBox>
#include <QLineEdit>
#include <QToolButton>
#include <QtTest>

#include <thread>

using namespace trainyard;

namespace {

ProjectSnapshot project() {
    RunRecord run;
    run.id = 7;
    run.name = "words";
    ProjectSnapshot snapshot;
    snapshot.runs = {run};
    snapshot.shownRun = 7;
    const auto at = [](std::int64_t second) { return 1'800'000'000'000'000 + second * 1'000'000; };
    snapshot.events = {{EventKind::Started, 0, at(0), "Started on cpu, 2 threads each, bf16."},
                       {EventKind::CheckpointSaved, 250, at(30), "checkpoints/iteration-00000250.pth"},
                       {EventKind::Evaluated, 250, at(40), "word_accuracy 0.31"},
                       {EventKind::Warning, 260, at(50), "The disk is nearly full."},
                       {EventKind::Finished, 500, at(90), "Finished after 500 iterations."}};
    CheckpointRecord checkpoint;
    checkpoint.report = {250, "checkpoints/iteration-00000250.pth", 4'700'000, at(30)};
    snapshot.checkpoints = {checkpoint};
    snapshot.evaluations = {
        {1, 7, {250, {{"word_accuracy", 0.31}, {"character_error_rate", 0.42}}, 3.5, 200, "val"}, at(40)}};
    return snapshot;
}

} // namespace

class tst_Log : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void saysWhatTheTerminalSays() {
        const auto entries = entriesOf(project());
        QCOMPARE(entries.size(), std::size_t(5)); // the evaluation once, with all it found
        QCOMPARE(entries[0].text, QStringLiteral("Started on cpu, 2 threads each, bf16."));
        QCOMPARE(entries[1].text, QStringLiteral("checkpoints/iteration-00000250.pth (4.7\u202fMB)"));
        QCOMPARE(entries[1].kind, LogEntry::Kind::Checkpoint);
        QVERIFY(entries[2].text.contains(QStringLiteral("character_error_rate 0.420")));
        QCOMPARE(entries[2].kind, LogEntry::Kind::Evaluation);
        QCOMPARE(entries[3].kind, LogEntry::Kind::Warning);
        QCOMPARE(entries[4].iteration, std::int64_t(500));
    }

    void newLinesAreAppended() {
        LogModel model;
        QAbstractItemModelTester tester(&model);
        auto entries = entriesOf(project());
        const LogEntry last = entries.back();
        entries.pop_back();
        model.setRunEntries(entries);
        QSignalSpy inserted(&model, &QAbstractItemModel::rowsInserted);
        QSignalSpy reset(&model, &QAbstractItemModel::modelReset);
        entries.push_back(last);
        model.setRunEntries(entries);
        QCOMPARE(inserted.count(), 1);
        QCOMPARE(reset.count(), 0);
        LogEntry said = last;
        said.run = 0;
        said.wallMicroseconds += 1;
        model.add(said);
        QCOMPARE(model.rowCount(), 6);
        model.setRunEntries({}); // another run: what the program said stays
        QCOMPARE(model.rowCount(), 1);
    }

    void filtersByWordsAndKind() {
        LogPanel panel;
        const auto snapshot = project();
        panel.setProject(&snapshot);
        QCOMPARE(panel.text().count(QLatin1Char('\n')), 5);
        panel.search()->setText(QStringLiteral("DISK full"));
        QCOMPARE(panel.text().count(QLatin1Char('\n')), 1);
        panel.search()->clear();
        panel.findChild<QComboBox*>()->setCurrentIndex(LogFilter::Trouble);
        QCOMPARE(panel.text().count(QLatin1Char('\n')), 1);
        panel.findChild<QComboBox*>()->setCurrentIndex(LogFilter::Milestones);
        QCOMPARE(panel.text().count(QLatin1Char('\n')), 2);
        QVERIFY(!panel.text().contains(QStringLiteral("disk")));
    }

    void copiesWhatIsShown() {
        LogPanel panel;
        const auto snapshot = project();
        panel.setProject(&snapshot);
        panel.findChild<QComboBox*>()->setCurrentIndex(LogFilter::Trouble);
        for (QToolButton* button : panel.findChildren<QToolButton*>())
            if (button->text() == QStringLiteral("Copy All"))
                button->click();
        const QString copied = QApplication::clipboard()->text();
        QVERIFY2(copied.contains(QStringLiteral("260\twarning\tThe disk is nearly full.")), qPrintable(copied));
    }

    void collectsTheProgramsLogFromEveryThread() {
        LogPanel panel;
        log::info("said on this thread");
        std::thread([] { log::warn("said on another"); }).join();
        QTRY_VERIFY(panel.text().contains(QStringLiteral("said on another")));
        QVERIFY(panel.text().contains(QStringLiteral("said on this thread")));
    }

    /// What is told where no project is open has the whole width, too.
    void theTextHasTheRoomWithoutARun() {
        LogPanel panel;
        panel.resize(1000, 300);
        panel.show();
        log::error("The project stayed locked by another program.");
        QTRY_VERIFY(panel.text().contains(QStringLiteral("stayed locked")));
        QTRY_VERIFY(panel.table()->columnWidth(LogModel::Text) > panel.width() / 2);
    }

    void saysWhatIsPrepared() {
        LogPanel panel;
        EngineState engine;
        engine.isBusy = true;
        engine.run = 7;
        engine.phase.text = "Scanning cells";
        panel.setEngine(engine);
        engine.phase.done = 12; // its counter is the command bar's
        panel.setEngine(engine);
        QCOMPARE(panel.text().count(QStringLiteral("Scanning cells")), 1);
    }
};

QTEST_MAIN(tst_Log)
#include "tst_Log.moc"
