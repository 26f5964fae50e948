#include "widgets/plots/PlotArrangement.h"

#include <QtTest>

using namespace trainyard;

class tst_PlotArrangement : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void init() {
        m_plots = {};
        for (const char* key : {"loss", "metric", "rate", "norm"})
            m_plots.add(QLatin1String(key));
    }

    void standsInTwoColumnsAtFirst() {
        QCOMPARE(places(2), QStringLiteral("loss 0,0 1x1; metric 0,1 1x1; rate 1,0 1x1; norm 1,1 1x1"));
        QVERIFY(!m_plots.isChanged());
    }

    void fillsTheGapBesideATallOne() {
        m_plots.resize(QStringLiteral("loss"), 1, 2);
        QCOMPARE(places(2), QStringLiteral("loss 0,0 1x2; metric 0,1 1x1; rate 1,1 1x1; norm 2,0 1x1"));
        QVERIFY(m_plots.isChanged());
    }

    void aWideOneTakesTheNextWholeRow() {
        m_plots.resize(QStringLiteral("metric"), 2, 1);
        QCOMPARE(places(2), QStringLiteral("loss 0,0 1x1; metric 1,0 2x1; rate 0,1 1x1; norm 2,0 1x1"));
    }

    void isNeverWiderThanTheBoard() {
        m_plots.resize(QStringLiteral("loss"), 9, 9);
        QCOMPARE(m_plots.find(QStringLiteral("loss"))->columns, PlotArrangement::kMostColumns);
        QCOMPARE(m_plots.find(QStringLiteral("loss"))->rows, PlotArrangement::kMostRows);
        QCOMPARE(places(1), QStringLiteral("loss 0,0 1x3; metric 3,0 1x1; rate 4,0 1x1; norm 5,0 1x1"));
        m_plots.resize(QStringLiteral("loss"), -1, 0);
        QCOMPARE(places(1), QStringLiteral("loss 0,0 1x1; metric 1,0 1x1; rate 2,0 1x1; norm 3,0 1x1"));
    }

    void movesToThePlaceOfAnother() {
        m_plots.moveTo(QStringLiteral("loss"), QStringLiteral("rate"));
        QCOMPARE(order(), QStringLiteral("metric rate loss norm"));
        m_plots.moveTo(QStringLiteral("norm"), QStringLiteral("metric"));
        QCOMPARE(order(), QStringLiteral("norm metric rate loss"));
        m_plots.moveBy(QStringLiteral("norm"), -3);
        QCOMPARE(order(), QStringLiteral("norm metric rate loss"));
        m_plots.reset();
        QVERIFY(!m_plots.isChanged());
    }

    void leavesOutWhatIsNotShown() {
        QString text;
        for (const PlotPlace& place : m_plots.places(2, {QStringLiteral("metric")}))
            text += QStringLiteral("%1 %2,%3;").arg(place.key).arg(place.row).arg(place.column);
        QCOMPARE(text, QStringLiteral("loss 0,0;rate 0,1;norm 1,0;"));
    }

    void comesBackAsItWas() {
        m_plots.moveTo(QStringLiteral("norm"), QStringLiteral("loss"));
        m_plots.resize(QStringLiteral("rate"), 2, 3);
        PlotArrangement other;
        for (const char* key : {"loss", "metric", "rate", "norm", "new"})
            other.add(QLatin1String(key));
        other.fromJson(m_plots.toJson());
        QCOMPARE(other.items().size(), std::size_t(5));
        for (std::size_t at = 0; at < 4; ++at)
            QCOMPARE(other.items()[at], m_plots.items()[at]);
        QCOMPARE(other.items()[4].key, QStringLiteral("new")); // it was not there yet
        other.fromJson({});
        QVERIFY(!other.isChanged());
    }

private:
    QString places(int columns) const {
        QStringList words;
        for (const PlotPlace& place : m_plots.places(columns))
            words << QStringLiteral("%1 %2,%3 %4x%5")
                         .arg(place.key)
                         .arg(place.row)
                         .arg(place.column)
                         .arg(place.columns)
                         .arg(place.rows);
        return words.join(QStringLiteral("; "));
    }
    QString order() const {
        QStringList keys;
        for (const auto& item : m_plots.items())
            keys << item.key;
        return keys.join(QLatin1Char(' '));
    }

    PlotArrangement m_plots;
};

QTEST_MAIN(tst_PlotArrangement)
#include "tst_PlotArrangement.moc"
