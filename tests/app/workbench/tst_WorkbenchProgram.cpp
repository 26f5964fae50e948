// The program itself, where there is no display.
#include "tests/support/TestData.h"

#include <QProcess>
#include <QtTest>

using namespace trainyard;

class tst_WorkbenchProgram : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void saysWhatItIsWithoutADisplay_data() {
        QTest::addColumn<QStringList>("arguments");
        QTest::addColumn<int>("code");
        QTest::addColumn<QString>("said");
        QTest::newRow("version") << QStringList{"--version"} << 0 << TRAINYARD_VERSION;
        QTest::newRow("help") << QStringList{"--help"} << 0 << "[PROJECT]";
        QTest::newRow("a window") << QStringList{} << 2 << "There is no display";
    }
    void saysWhatItIsWithoutADisplay() {
        QFETCH(QStringList, arguments);
        QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
        for (const char* name : {"DISPLAY", "WAYLAND_DISPLAY", "QT_QPA_PLATFORM"})
            environment.remove(QLatin1String(name));
        QProcess program;
        program.setProcessEnvironment(environment);
        program.setProcessChannelMode(QProcess::MergedChannels);
        program.start(QString::fromStdString(testing::programFolder() / "trainyard-workbench"), arguments);
        QVERIFY(program.waitForFinished(-1));
        QCOMPARE(program.exitStatus(), QProcess::NormalExit);
        QTEST(program.exitCode(), "code");
        QFETCH(QString, said);
        const QString output = QString::fromUtf8(program.readAll());
        QVERIFY2(output.contains(said), qPrintable(output));
    }
};

QTEST_GUILESS_MAIN(tst_WorkbenchProgram)
#include "tst_WorkbenchProgram.moc"
