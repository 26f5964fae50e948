#include "widgets/plots/TickText.h"

#include <QtTest>

using namespace trainyard;

class tst_TickText : public QObject {
    Q_OBJECT
private Q_SLOTS:
    /// Powers of ten on all of an axis or on none of it; zero stays zero.
    void writesAnAxisInOneWay_data() {
        QTest::addColumn<QVector<double>>("values");
        QTest::addColumn<QVector<QString>>("texts");
        const auto row = [](const char* name, const QVector<double>& values, const QVector<QString>& texts) {
            QTest::newRow(name) << values << texts;
        };
        row("plain", {0.0005, 0.001, 0.0015}, {"0.0005", "0.001", "0.0015"});
        row("small", {0.00005, 0.0001, 0.00015, 0.0002}, {"5e-5", "1e-4", "1.5e-4", "2e-4"});
        row("from zero", {0, 0.00005, 0.0001}, {"0", "5e-5", "1e-4"});
        row("below zero", {-0.00005, 0, 0.00005}, {"-5e-5", "0", "5e-5"});
        row("whole", {1, 2, 10, 200}, {"1", "2", "10", "200"});
        row("large", {5000, 10000, 15000},
            {"5000", QString::fromUtf8("10\u202f000"), QString::fromUtf8("15\u202f000")});
    }
    void writesAnAxisInOneWay() {
        QFETCH(QVector<double>, values);
        QFETCH(QVector<QString>, texts);
        QCOMPARE(tickTexts(values), texts);
    }
};

QTEST_MAIN(tst_TickText)
#include "tst_TickText.moc"
