#include "app/workbench/checkpoints/CheckpointsModel.h"

#include <QAbstractItemModelTester>
#include <QtTest>

using namespace trainyard;

namespace {

CheckpointRecord checkpoint(std::int64_t id, std::int64_t iteration) {
    CheckpointRecord record;
    record.id = id;
    record.run = 1;
    record.report.iteration = iteration;
    record.report.bytes = 4'700'000;
    record.report.path = "checkpoints/" + std::to_string(iteration) + ".pt";
    return record;
}

QString text(const CheckpointsModel& model, int row, int column) {
    return model.index(row, column).data(Qt::DisplayRole).toString();
}

} // namespace

class tst_CheckpointsModel : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void keepsTheRulesOfModels() {
        CheckpointsModel model;
        QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::QtTest);
        model.setCheckpoints({checkpoint(1, 100), checkpoint(2, 200), checkpoint(4, 400)},
                             QStringLiteral("word_accuracy"));
        model.setCheckpoints({checkpoint(1, 100), checkpoint(4, 400)}, QStringLiteral("word_accuracy"));
        model.setCheckpoints({checkpoint(1, 100), checkpoint(2, 200), checkpoint(4, 400), checkpoint(7, 700)},
                             QStringLiteral("word_accuracy"));
        QCOMPARE(model.rowOf(2), 1);
        QCOMPARE(model.rowCount(), 4);
        model.setCheckpoints({}, {});
        QCOMPARE(model.rowCount(), 0);
    }

    void namesTheMetricInItsHeader() {
        CheckpointsModel model;
        model.setCheckpoints({}, QStringLiteral("bbox/AP50"));
        QCOMPARE(model.headerData(CheckpointsModel::Metric, Qt::Horizontal, Qt::DisplayRole).toString(),
                 QStringLiteral("bbox/AP50"));
    }

    void saysBestPinnedFinalMissingAndAbandonedInWords() {
        auto marked = checkpoint(1, 100), missing = checkpoint(2, 200), abandoned = checkpoint(3, 300);
        marked.isBest = marked.isPinned = marked.isFinal = true;
        marked.metric = 0.887;
        missing.isMissing = true;
        abandoned.isAbandoned = true;
        CheckpointsModel model;
        model.setCheckpoints({marked, missing, abandoned}, QStringLiteral("word_accuracy"));
        QCOMPARE(text(model, 0, CheckpointsModel::Marks), QStringLiteral("★ best · final · pinned"));
        QCOMPARE(text(model, 0, CheckpointsModel::Metric), QStringLiteral("0.887"));
        QCOMPARE(text(model, 0, CheckpointsModel::State), QStringLiteral("good"));
        QCOMPARE(text(model, 1, CheckpointsModel::State), QStringLiteral("missing"));
        QCOMPARE(text(model, 2, CheckpointsModel::State), QStringLiteral("abandoned tail"));
        QCOMPARE(text(model, 0, CheckpointsModel::Size), QStringLiteral("4.7\u202fMB"));
    }

    void tellsOnlyRowsThatChanged() {
        CheckpointsModel model;
        auto two = std::vector{checkpoint(1, 100), checkpoint(2, 200)};
        model.setCheckpoints(two, {});
        QSignalSpy changes(&model, &QAbstractItemModel::dataChanged);
        model.setCheckpoints(two, {});
        QCOMPARE(changes.count(), 0);
        two[1].isPinned = true;
        model.setCheckpoints(two, {});
        QCOMPARE(changes.count(), 1);
        QCOMPARE(changes[0][0].toModelIndex().row(), 1);
    }
};

QTEST_MAIN(tst_CheckpointsModel)
#include "tst_CheckpointsModel.moc"
