#include "core/fetch/Url.h"
#include "tests/support/TestData.h"

using namespace trainyard;

class TestUrl : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void tellsAddressesFromPaths() {
        for (const char* url : {"https://a/b", "http://a/b", "ftp://a/b", "file:///etc/passwd"})
            QVERIFY2(isUrl(url), url);
        for (const char* path : {"weights.pth", "/a/b.pth", "C:/b.pth", "${root}/a.pth", "a b://c", "://a", ""})
            QVERIFY2(!isUrl(path), path);
    }

    void knowsTheParts() {
        const auto url = parseUrl("https://download.pytorch.org:8443/models/resnet50-0676ba61.pth");
        VERIFY_RESULT(url);
        QCOMPARE(url->address, std::string("https://download.pytorch.org:8443/models/resnet50-0676ba61.pth"));
        QCOMPARE(url->host, std::string("download.pytorch.org:8443"));
        QCOMPARE(url->fileName, std::string("resnet50-0676ba61.pth"));
        QCOMPARE(url->checksum, (Checksum{Checksum::Kind::Sha256, "0676ba61"})); // the custom of PyTorch's files
        QCOMPARE(url->cachePath.string(), std::string("download.pytorch.org_8443/models/resnet50-0676ba61.pth"));
    }

    void takesTheChecksumBehindIt() {
        const auto url = parseUrl("https://a.org/R-50.pkl#md5=900150983cd24fb0d6963f7d28e17f72");
        VERIFY_RESULT(url);
        QCOMPARE(url->address, std::string("https://a.org/R-50.pkl"));
        QCOMPARE(url->checksum, (Checksum{Checksum::Kind::Md5, "900150983cd24fb0d6963f7d28e17f72"}));
        QVERIFY(!parseUrl("https://a.org/R-50.pkl")->checksum);
    }

    void keepsTheCacheToItself() {
        QCOMPARE(parseUrl("https://a.org/../../etc/passwd")->cachePath.string(), std::string("a.org/etc/passwd"));
        const auto encoded = parseUrl("https://a.org/%2e%2e/b.pth");
        VERIFY_RESULT(encoded);
        QCOMPARE(encoded->cachePath.begin()->string(), std::string("a.org"));
        const auto sly = parseUrl("https://a.org/x/..%2f..%2fb.pth");
        VERIFY_RESULT(sly);
        for (const auto& part : sly->cachePath)
            QVERIFY2(part.string() != ".." && part.string().find('/') == std::string::npos, part.c_str());
        QCOMPARE(parseUrl("https://a.org/.hidden")->cachePath.filename().string(), std::string("_hidden"));
        const auto one = parseUrl("https://a.org/get.pth?id=1"), two = parseUrl("https://a.org/get.pth?id=2");
        QVERIFY(one->cachePath != two->cachePath);
        QCOMPARE(one->cachePath.extension().string(), std::string(".pth"));
    }

    void refuses_data() {
        QTest::addColumn<QString>("text");
        QTest::addColumn<QString>("part");
        QTest::newRow("http") << "http://a.org/b.pth"
                              << "begin with https";
        QTest::newRow("ftp") << "ftp://a.org/b.pth"
                             << "begin with https";
        QTest::newRow("file") << "file:///etc/passwd"
                              << "begin with https";
        QTest::newRow("password") << "https://me:secret@a.org/b.pth"
                                  << "password";
        QTest::newRow("no file") << "https://a.org/"
                                 << "names no file";
        QTest::newRow("folder") << "https://a.org/models/"
                                << "names no file";
        QTest::newRow("no host") << "https://"
                                 << "no address";
        QTest::newRow("fragment") << "https://a.org/b.pth#part"
                                  << "no checksum";
    }
    void refuses() {
        QFETCH(QString, text);
        QFETCH(QString, part);
        const auto url = parseUrl(text.toStdString());
        QVERIFY(!url);
        QCOMPARE(url.error().kind, ErrorKind::Usage);
        QVERIFY2(QString::fromStdString(url.error().sentence()).contains(part), url.error().sentence().c_str());
        QVERIFY(url.error().sentence().find("secret") == std::string::npos);
    }
};

QTEST_GUILESS_MAIN(TestUrl)
#include "tst_Url.moc"
