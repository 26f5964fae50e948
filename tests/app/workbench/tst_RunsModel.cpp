#include "app/workbench/runs/RunsFilter.h"
#include "app/workbench/runs/RunsModel.h"
#include "widgets/tables/StateDelegate.h"

#include <QAbstractItemModelTester>
#include <QLineEdit>
#include <QTableView>
#include <QtTest>

using namespace trainyard;

namespace {

RunRecord run(std::int64_t id, const std::string& name, RunStatus status, double loss) {
    RunRecord record;
    record.id = id;
    record.name = name;
    record.modelType = "crnn";
    record.status = status;
    record.iteration = 100 * id;
    record.iterations = 1000;
    record.loss = loss;
    return record;
}

std::vector<RunRecord> threeRuns() {
    return {run(1, "words", RunStatus::Finished, 0.2), run(2, "cells", RunStatus::Lost, 0.05),
            run(5, "wide words", RunStatus::Running, 0.9)};
}

} // namespace

class tst_RunsModel : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void keepsTheRulesOfModels() {
        RunsModel model;
        QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::QtTest);
        RunsFilter filter;
        QAbstractItemModelTester filterTester(&filter, QAbstractItemModelTester::FailureReportingMode::QtTest);
        filter.setSourceModel(&model);
        filter.sort(RunsModel::Loss);
        auto runs = threeRuns();
        model.setRuns(runs, {});
        runs.erase(runs.begin() + 1);
        model.setRuns(runs, {});
        runs.push_back(run(9, "new", RunStatus::Preparing, 0));
        model.setRuns(runs, {});
        model.setRuns(threeRuns(), {}); // the deleted one is restored to its place
        QCOMPARE(model.rowOf(2), 1);
        QCOMPARE(model.rowOf(9), -1);
        filter.setWords(QStringLiteral("words"));
        model.setRuns({}, {});
        QCOMPARE(model.rowCount(), 0);
    }

    void tellsOnlyRowsThatChanged() {
        RunsModel model;
        model.setRuns(threeRuns(), {});
        QSignalSpy changes(&model, &QAbstractItemModel::dataChanged);
        model.setRuns(threeRuns(), {});
        QCOMPARE(changes.count(), 0);
        auto runs = threeRuns();
        runs[2].iteration = 501;
        model.setRuns(runs, {});
        QCOMPARE(changes.count(), 1);
        QCOMPARE(changes[0][0].toModelIndex().row(), 2);
    }

    void leavesANameThatIsBeingTyped() {
        RunsModel model;
        QTableView table;
        table.setModel(&model);
        model.setRuns(threeRuns(), {});
        const QModelIndex name = model.index(2, RunsModel::Name);
        table.setCurrentIndex(name);
        table.edit(name);
        auto* editor = table.findChild<QLineEdit*>();
        QVERIFY(editor);
        editor->setText(QStringLiteral("half a na"));
        auto runs = threeRuns();
        runs[2].iteration = 501;
        runs[2].loss = 0.8;
        model.setRuns(runs, {});
        QCOMPARE(editor->text(), QStringLiteral("half a na"));
    }

    void sortsNumbersAsNumbers() {
        RunsModel model;
        RunsFilter filter;
        filter.setSourceModel(&model);
        auto runs = threeRuns();
        runs[0].loss = 10.5; // as text it would come before 2
        runs[1].loss = 2;
        model.setRuns(runs, {});
        filter.sort(RunsModel::Loss, Qt::AscendingOrder);
        QCOMPARE(filter.index(0, 0).data(RunsModel::RunRole).toLongLong(), 5);
        QCOMPARE(filter.index(1, 0).data(RunsModel::RunRole).toLongLong(), 2);
        QCOMPARE(filter.index(2, 0).data(RunsModel::RunRole).toLongLong(), 1);
    }

    void filtersByWordsAndState() {
        RunsModel model;
        RunsFilter filter;
        filter.setSourceModel(&model);
        model.setRuns(threeRuns(), {});
        filter.setWords(QStringLiteral("WORDS wide"));
        QCOMPARE(filter.rowCount(), 1);
        filter.setWords(QStringLiteral("lost"));
        QCOMPARE(filter.rowCount(), 1);
        filter.setWords({});
        filter.setKind(RunsFilter::Kind::Active);
        QCOMPARE(filter.rowCount(), 1);
        filter.setKind(RunsFilter::Kind::Unfinished);
        QCOMPARE(filter.rowCount(), 1);
        QCOMPARE(filter.index(0, 0).data(RunsModel::RunRole).toLongLong(), 2);
    }

    void theEngineKnowsItsRunBetter() {
        RunsModel model;
        EngineState engine;
        engine.isBusy = true;
        engine.run = 2;
        engine.status = RunStatus::Paused;
        engine.step.iteration = 250;
        engine.step.loss = 0.04;
        model.setRuns(threeRuns(), engine);
        QCOMPARE(model.runAt(1)->status, RunStatus::Paused);
        QCOMPARE(model.runAt(1)->iteration, std::int64_t(250));
        QCOMPARE(model.index(1, RunsModel::State).data(StateDelegate::StatusRole).toInt(), int(RunStatus::Paused));
    }

    void renamingIsAskedForNotDone() {
        RunsModel model;
        model.setRuns(threeRuns(), {});
        QSignalSpy asked(&model, &RunsModel::renameAsked);
        const QModelIndex name = model.index(0, RunsModel::Name);
        QCOMPARE(name.data(Qt::EditRole).toString(), QStringLiteral("words"));
        QVERIFY(model.setData(name, QStringLiteral(" better words "), Qt::EditRole));
        QCOMPARE(asked.count(), 1);
        QCOMPARE(asked[0][1].toString(), QStringLiteral("better words"));
        QCOMPARE(name.data(Qt::EditRole).toString(), QStringLiteral("words"));
        QVERIFY(!model.setData(name, QStringLiteral("  "), Qt::EditRole));
        model.setReadOnly(true);
        QVERIFY(!model.flags(name).testFlag(Qt::ItemIsEditable));
    }

    void moreColumnsShowMetricsAndKeys() {
        RunsModel model;
        QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::QtTest);
        model.setRuns(threeRuns(), {});
        EvaluationRecord first, second;
        first.run = 1;
        first.report.metrics = {{"word_accuracy", 0.5}};
        second.run = 2;
        second.report.metrics = {{"word_accuracy", 0.0625}};
        RunValues values;
        values.setEvaluations({first, second});
        auto config = std::make_shared<RunConfig>();
        config->solve.baseLr = 0.25;
        values.setConfigurations({{5, config}});
        model.setMoreColumns({QStringLiteral("word_accuracy"), QStringLiteral("solve.base_lr")});
        model.setValues(values);
        QCOMPARE(model.columnCount(), RunsModel::ColumnCount + 2);
        const int accuracy = RunsModel::ColumnCount, rate = accuracy + 1;
        QCOMPARE(model.headerData(rate, Qt::Horizontal, Qt::DisplayRole).toString(), QStringLiteral("solve.base_lr"));
        QCOMPARE(model.index(0, accuracy).data(RunsModel::SortRole).toDouble(), 0.5);
        QCOMPARE(model.index(2, accuracy).data().toString(), QString());
        QCOMPARE(model.index(2, rate).data().toString(), QStringLiteral("0.25"));
        RunsFilter filter;
        filter.setSourceModel(&model);
        filter.sort(accuracy, Qt::DescendingOrder); // runs without a value stand last either way
        QCOMPARE(filter.index(0, 0).data(RunsModel::RunRole).toLongLong(), 1);
        QCOMPARE(filter.index(2, 0).data(RunsModel::RunRole).toLongLong(), 5);
        filter.sort(accuracy, Qt::AscendingOrder);
        QCOMPARE(filter.index(0, 0).data(RunsModel::RunRole).toLongLong(), 2);
        QCOMPARE(filter.index(2, 0).data(RunsModel::RunRole).toLongLong(), 5);
        model.setMoreColumns({QStringLiteral("solve.base_lr")});
        QCOMPARE(model.columnCount(), RunsModel::ColumnCount + 1);
        QCOMPARE(model.index(2, accuracy).data().toString(), QStringLiteral("0.25"));
    }

    void deletedRunsShowAmongTheDeletedAlone() {
        RunsModel model;
        RunsFilter filter;
        filter.setSourceModel(&model);
        auto runs = threeRuns();
        runs[1].isDeleted = true;
        model.setRuns(runs, {});
        QCOMPARE(filter.rowCount(), 2);
        filter.setKind(RunsFilter::Kind::Deleted);
        QCOMPARE(filter.rowCount(), 1);
        QCOMPARE(filter.index(0, 0).data(RunsModel::RunRole).toLongLong(), 2);
    }

    void tagsGroupAndNotesAreAskedFor() {
        RunsModel model;
        model.setRuns(threeRuns(), {});
        QSignalSpy asked(&model, &RunsModel::textAsked);
        QVERIFY(model.setData(model.index(2, RunsModel::Tags), QStringLiteral("good, wide"), Qt::EditRole));
        QVERIFY(model.setData(model.index(2, RunsModel::Group), QStringLiteral("ablation"), Qt::EditRole));
        QVERIFY(!model.setData(model.index(2, RunsModel::Notes), QString(), Qt::EditRole)); // as it was
        QCOMPARE(asked.count(), 2);
        QCOMPARE(asked[0][0].toLongLong(), 5);
        QCOMPARE(asked[1][2].toString(), QStringLiteral("ablation"));
        QVERIFY(!model.setData(model.index(2, RunsModel::Loss), 3, Qt::EditRole));
    }

    void ticksStayWithTheirRun() {
        RunsModel model;
        model.setRuns(threeRuns(), {});
        QSignalSpy ticks(&model, &RunsModel::tickedChanged);
        QVERIFY(model.setData(model.index(1, RunsModel::Name), Qt::Checked, Qt::CheckStateRole));
        QCOMPARE(ticks.count(), 1);
        auto runs = threeRuns();
        runs.erase(runs.begin());
        model.setRuns(runs, {});
        QCOMPARE(model.index(0, RunsModel::Name).data(Qt::CheckStateRole).toInt(), int(Qt::Checked));
    }

    void numbersStandAtTheRight() {
        RunsModel model;
        model.setRuns(threeRuns(), {});
        for (const int column : {RunsModel::Progress, RunsModel::Loss, RunsModel::Metric, RunsModel::Time}) {
            QVERIFY(model.index(0, column).data(Qt::TextAlignmentRole).toInt() & Qt::AlignRight);
            QVERIFY(model.headerData(column, Qt::Horizontal, Qt::TextAlignmentRole).toInt() & Qt::AlignRight);
        }
    }
};

QTEST_MAIN(tst_RunsModel)
#include "tst_RunsModel.moc"
