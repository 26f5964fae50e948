#include "widgets/tables/QuietTable.h"

#include <QHeaderView>
#include <QStandardItemModel>
#include <QtTest>

using namespace trainyard;

class tst_QuietTable : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void growsForWhatComesLater_data() {
        QTest::addColumn<QString>("head");
        QTest::addColumn<QString>("cell");
        QTest::newRow("a longer head") << QStringLiteral("normalised edit distance") << QStringLiteral("1");
        QTest::newRow("a longer cell") << QStringLiteral("m") << QStringLiteral("checkpoints/iteration-00000500.pth");
    }
    void growsForWhatComesLater() {
        QFETCH(QString, head);
        QFETCH(QString, cell);
        QStandardItemModel model(1, 2);
        model.setHorizontalHeaderLabels({QStringLiteral("m"), QStringLiteral("file")});
        model.setItem(0, 0, new QStandardItem(QStringLiteral("1")));
        QuietTable table;
        table.setModel(&model);
        table.resize(600, 200);
        table.show();
        QVERIFY(QTest::qWaitForWindowExposed(&table));
        table.fitColumns(1);
        const int before = table.columnWidth(0);
        table.growColumns();
        QCOMPARE(table.columnWidth(0), before); // what fits stays
        model.setHeaderData(0, Qt::Horizontal, head);
        model.item(0, 0)->setText(cell);
        table.growColumns();
        QVERIFY(table.columnWidth(0) >= table.fontMetrics().horizontalAdvance(head));
        QVERIFY(table.columnWidth(0) >= table.fontMetrics().horizontalAdvance(cell));
    }
};

QTEST_MAIN(tst_QuietTable)
#include "tst_QuietTable.moc"
