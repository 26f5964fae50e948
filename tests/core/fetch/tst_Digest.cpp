#include "core/base/AtomicFile.h"
#include "core/fetch/Digest.h"
#include "tests/support/TestData.h"

using namespace trainyard;
using namespace trainyard::testing;

class TestDigest : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void hashesAsTheStandardsSay_data() {
        QTest::addColumn<QString>("text");
        QTest::addColumn<QString>("md5");
        QTest::addColumn<QString>("sha256");
        // RFC 1321, A.5, and FIPS 180-2, B.1
        QTest::newRow("empty") << ""
                               << "d41d8cd98f00b204e9800998ecf8427e"
                               << "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855";
        QTest::newRow("abc") << "abc"
                             << "900150983cd24fb0d6963f7d28e17f72"
                             << "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";
    }
    void hashesAsTheStandardsSay() {
        QFETCH(QString, text);
        QFETCH(QString, md5);
        QFETCH(QString, sha256);
        ScratchFolder folder;
        VERIFY_RESULT(writeFile(folder / "a", text.toStdString()));
        QCOMPARE(*digestOf(folder / "a", Checksum::Kind::Md5), md5.toStdString());
        QCOMPARE(*digestOf(folder / "a", Checksum::Kind::Sha256), sha256.toStdString());
    }

    void hashesInPiecesTheSame() {
        Digest digest(Checksum::Kind::Sha256);
        digest.add("a", 1);
        digest.add("bc", 2);
        QCOMPARE(digest.hex(), std::string("ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"));
    }

    void readsChecksums_data() {
        QTest::addColumn<QString>("text");
        QTest::addColumn<bool>("isGood");
        QTest::newRow("whole md5") << "md5=900150983cd24fb0d6963f7d28e17f72" << true;
        QTest::newRow("whole sha256") << "sha256=ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"
                                      << true;
        QTest::newRow("first digits") << "sha256=ba7816bf" << true;
        QTest::newRow("capitals") << "sha256=BA7816BF" << true;
        QTest::newRow("too few") << "sha256=ba7816b" << false;
        QTest::newRow("part of an md5") << "md5=90015098" << false;
        QTest::newRow("no digits") << "sha256=" << false;
        QTest::newRow("no hexadecimal digits") << "sha256=ba7816bg" << false;
        QTest::newRow("another kind") << "crc32=ba7816bf" << false;
        QTest::newRow("no kind") << "ba7816bf" << false;
    }
    void readsChecksums() {
        QFETCH(QString, text);
        QFETCH(bool, isGood);
        QCOMPARE(parseChecksum(text.toStdString()).has_value(), isGood);
    }

    void fitsByItsDigits() {
        const auto checksum = parseChecksum("sha256=BA7816BF");
        QVERIFY(checksum->fits("ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"));
        QVERIFY(!checksum->fits("ba7816be8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"));
    }
};

QTEST_GUILESS_MAIN(TestDigest)
#include "tst_Digest.moc"
