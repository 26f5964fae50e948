#include "core/base/Crc32c.h"
#include "core/base/Random.h"

#include <QtTest>

#include <string>

using namespace trainyard;

class tst_Crc32c : public QObject {
    Q_OBJECT

private Q_SLOTS:
    /// RFC 3720, appendix B.4; the last one is the check value of the catalogue of CRC algorithms.
    void knownSums_data() {
        QTest::addColumn<QByteArray>("bytes");
        QTest::addColumn<quint32>("sum");
        QByteArray rising;
        for (int i = 0; i < 32; ++i)
            rising += char(i);
        QTest::newRow("zeros") << QByteArray(32, '\0') << 0x8A9136AAu;
        QTest::newRow("ones") << QByteArray(32, '\xFF') << 0x62A8AB43u;
        QTest::newRow("rising") << rising << 0x46DD794Eu;
        QTest::newRow("digits") << QByteArray("123456789") << 0xE3069283u;
        QTest::newRow("nothing") << QByteArray() << 0u;
    }

    void knownSums() {
        QFETCH(QByteArray, bytes);
        QFETCH(quint32, sum);
        QCOMPARE(crc32c(bytes.toStdString()), sum);
        QCOMPARE(crc32cByTable(bytes.toStdString()), sum);
    }

    void bothWaysAgree() {
        Random random(5);
        std::string bytes;
        for (int length = 0; length < 300; ++length) {
            QCOMPARE(crc32c(bytes), crc32cByTable(bytes));
            bytes += char(random.integer(0, 255));
        }
    }
};

QTEST_GUILESS_MAIN(tst_Crc32c)
#include "tst_Crc32c.moc"
