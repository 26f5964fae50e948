#include "app/cli/Format.h"
#include "app/cli/Json.h"
#include "app/cli/Table.h"

#include <QtTest>

#include <cmath>
#include <limits>

using namespace trainyard;
using namespace trainyard::cli;

/// Numbers, tables and lines as people and programs read them.
class TestText : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void alignsNumbersRight() {
        Table table({{"run", Table::Align::Right}, {"name"}, {"loss", Table::Align::Right}});
        table.add({"1", "wörter", "0.5"});
        table.add({"12", "x\ny", "12.25"});
        QCOMPARE(table.text(), std::string("run  name     loss\n"
                                           "  1  wörter    0.5\n"
                                           " 12  x y     12.25\n"));
    }

    void readsAsAPersonDoes_data() {
        QTest::addColumn<double>("value");
        QTest::addColumn<QString>("text");
        QTest::newRow("zero") << 0.0 << "0.0000";
        QTest::newRow("loss") << 0.42136 << "0.4214";
        QTest::newRow("rate") << 0.00001 << "1.00e-05";
        QTest::newRow("large") << 12345678.0 << "1.23e+07";
        QTest::newRow("hundreds") << 123.456 << "123.5";
        QTest::newRow("nan") << std::nan("") << "nan";
    }
    void readsAsAPersonDoes() {
        QFETCH(double, value);
        QFETCH(QString, text);
        QCOMPARE(QString::fromStdString(readable(value)), text);
    }

    void namesTimeAndSize() {
        QCOMPARE(duration(8.4), std::string("8 s"));
        QCOMPARE(duration(2465), std::string("41 min 05 s"));
        QCOMPARE(duration(7500), std::string("2 h 05 min"));
        QCOMPARE(duration(-3), std::string("0 s"));
        QCOMPARE(byteSize(999), std::string("999 B"));
        QCOMPARE(byteSize(1900000), std::string("1.9 MB"));
        QCOMPARE(byteSize(180000000), std::string("180 MB"));
        QCOMPARE(measure(21.6018), std::string("21.6"));
        QCOMPARE(measure(20000), std::string("20 000"));
        QCOMPARE(measure(1479.4), std::string("1 479"));
        QCOMPARE(grouped(12400), std::string("12 400"));
        QCOMPARE(grouped(-1234567), std::string("-1 234 567"));
    }

    void numbersReadBackToTheSameValue() {
        StepReport report;
        report.iteration = 7;
        for (const double value : {0.1, 1.0 / 3, 5e-324, 1.7976931348623157e308, double(0.1f)}) {
            report.loss = value;
            const auto line = Json::parse(toLine(iterationEvent(report, std::nullopt)));
            QCOMPARE(line.at("loss").get<double>(), value);
            QVERIFY(line.at("eta_seconds").is_null());
        }
    }

    void notFiniteIsNull() {
        StepReport report;
        report.loss = std::numeric_limits<double>::quiet_NaN();
        report.losses = {{"box", std::numeric_limits<double>::infinity()}};
        const auto line = Json::parse(toLine(iterationEvent(report, 1.5)));
        QVERIFY(line.at("loss").is_null());
        QVERIFY(line.at("losses").at("box").is_null());
    }

    void anyBytesMakeALine() {
        RunEvent event;
        event.text = "caf\xe9 \n \"quoted\"";
        const std::string line = toLine(warningEvent(event));
        QVERIFY(line.find('\n') == std::string::npos);
        QVERIFY(!Json::parse(line).at("text").get<std::string>().empty());
    }
};

QTEST_GUILESS_MAIN(TestText)
#include "tst_Text.moc"
