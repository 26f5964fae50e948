#include "core/base/AtomicFile.h"
#include "core/fetch/Digest.h"
#include "core/fetch/Fetch.h"
#include "tests/support/HttpsServer.h"
#include "tests/support/TestData.h"

#include <memory>

using namespace trainyard;
using namespace trainyard::testing;

namespace {

constexpr const char* kMd5OfAbc = "900150983cd24fb0d6963f7d28e17f72";                                    // RFC 1321
constexpr const char* kSha256OfAbc = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"; // FIPS 180-2

int filesUnder(const std::filesystem::path& folder) {
    int count = 0;
    for (const auto& entry : std::filesystem::recursive_directory_iterator(folder))
        count += entry.is_regular_file() ? 1 : 0;
    return count;
}

} // namespace

/// Against a server on the loopback interface.
class TestFetch : public QObject {
    Q_OBJECT
    std::unique_ptr<HttpsServer> m_server;

private Q_SLOTS:
    void init() {
        m_server = std::make_unique<HttpsServer>();
        qputenv("SSL_CERT_FILE", QByteArray::fromStdString(m_server->certificate()));
        m_server->put("/abc.pth", {200, "abc", -1, ""});
    }

    void keepsWhatItFetched() {
        ScratchFolder cache;
        const std::string url = m_server->url("/abc.pth") + "#sha256=" + kSha256OfAbc;
        std::int64_t last = 0;
        DownloadListener listener;
        listener.onProgress = [&](std::int64_t done, std::int64_t) { last = done; };
        const auto file = fetch(url, cache.path(), listener);
        VERIFY_RESULT(file);
        QCOMPARE(*readFile(*file), std::string("abc"));
        QCOMPARE(last, std::int64_t(3));
        const auto again = fetch(url, cache.path());
        VERIFY_RESULT(again);
        QCOMPARE(again->string(), file->string());
        QCOMPARE(m_server->asked(), QStringList{"/abc.pth"}); // the second came from the cache
    }

    void refusesAWrongChecksum() {
        ScratchFolder cache;
        const auto file = fetch(m_server->url("/abc.pth") + "#sha256=00000000", cache.path());
        QVERIFY(!file);
        QCOMPARE(file.error().kind, ErrorKind::Damaged);
        for (const char* part : {"SHA-256 00000000", kSha256OfAbc, "/abc.pth"})
            QVERIFY2(file.error().sentence().find(part) != std::string::npos, file.error().sentence().c_str());
        QCOMPARE(filesUnder(cache.path()), 0);
    }

    void fetchesAnewWhatChangedInTheCache() {
        ScratchFolder cache;
        const std::string url = m_server->url("/abc.pth") + "#md5=" + kMd5OfAbc;
        const auto file = fetch(url, cache.path());
        VERIFY_RESULT(file);
        VERIFY_RESULT(writeFile(*file, "abx"));
        const auto again = fetch(url, cache.path());
        VERIFY_RESULT(again);
        QCOMPARE(*readFile(*again), std::string("abc"));
        QCOMPARE(m_server->asked().size(), 2);
    }

    /// Detectron's way: a file beside it holds its MD5.
    void usesTheChecksumBesideTheFile() {
        ScratchFolder cache;
        m_server->put("/abc.pth.md5sum", {200, QByteArray(kMd5OfAbc) + "  abc.pth\n", -1, ""});
        const auto file = fetch(m_server->url("/abc.pth"), cache.path());
        VERIFY_RESULT(file);
        QCOMPARE(*readFile(*file), std::string("abc"));
        VERIFY_RESULT(fetch(m_server->url("/abc.pth"), cache.path()));
        QCOMPARE(m_server->asked(), (QStringList{"/abc.pth.md5sum", "/abc.pth"})); // then neither is asked for
    }

    void refusesAWrongChecksumBesideTheFile() {
        ScratchFolder cache;
        m_server->put("/abc.pth.md5sum", {200, QByteArray(32, '0'), -1, ""});
        const auto file = fetch(m_server->url("/abc.pth"), cache.path());
        QVERIFY(!file);
        QVERIFY2(file.error().what.find("MD5 000") != std::string::npos, file.error().what.c_str());
        QCOMPARE(filesUnder(cache.path()), 0);
    }

    void refusesAFileThatNothingChecks() {
        ScratchFolder cache;
        const auto file = fetch(m_server->url("/abc.pth"), cache.path());
        QVERIFY(!file);
        QCOMPARE(file.error().kind, ErrorKind::Usage);
        QVERIFY2(file.error().what.find("nothing to check") != std::string::npos, file.error().what.c_str());
        QCOMPARE(m_server->asked(), QStringList{"/abc.pth.md5sum"}); // the file itself was not even asked for
    }

    void leavesNothingOfACutDownload() {
        ScratchFolder cache;
        m_server->put("/cut.pth", {200, QByteArray(100'000, 'x'), 50'000, ""});
        const auto file = fetch(m_server->url("/cut.pth") + "#sha256=" + kSha256OfAbc, cache.path());
        QVERIFY(!file);
        QCOMPARE(file.error().kind, ErrorKind::Damaged);
        QCOMPARE(filesUnder(cache.path()), 0);
    }

    void leavesNothingOfACancelledDownload() {
        ScratchFolder cache;
        m_server->put("/large.pth", {200, QByteArray(2'000'000, 'x'), -1, ""});
        DownloadListener listener;
        listener.isCancelled = [] { return true; };
        const auto file = fetch(m_server->url("/large.pth") + "#sha256=" + kSha256OfAbc, cache.path(), listener);
        QVERIFY(!file);
        QCOMPARE(file.error().kind, ErrorKind::Interrupted);
        QCOMPARE(filesUnder(cache.path()), 0);
    }

    void saysWhatTheServerAnswered() {
        ScratchFolder cache;
        const auto file = fetch(m_server->url("/nowhere.pth") + "#sha256=00000000", cache.path());
        QVERIFY(!file);
        QVERIFY2(file.error().what.find("404") != std::string::npos, file.error().what.c_str());
        QCOMPARE(filesUnder(cache.path()), 0);
    }

    void followsRedirectionsToHttpsAlone() {
        ScratchFolder cache;
        m_server->put("/moved.pth", {302, "", -1, m_server->url("/abc.pth")});
        VERIFY_RESULT(fetch(m_server->url("/moved.pth") + "#sha256=" + kSha256OfAbc, cache.path()));
        m_server->put("/plain.pth", {302, "", -1, "http://localhost:1/abc.pth"});
        m_server->put("/local.pth", {302, "", -1, "file:///etc/hostname"});
        for (const char* path : {"/plain.pth", "/local.pth"})
            QVERIFY(!fetch(m_server->url(path) + "#sha256=" + kSha256OfAbc, cache.path()));
    }

    void refusesAServerThatNobodyVouchesFor() {
        ScratchFolder cache;
        qunsetenv("SSL_CERT_FILE");
        const auto file = fetch(m_server->url("/abc.pth") + "#sha256=" + kSha256OfAbc, cache.path());
        QVERIFY(!file);
        QVERIFY2(file.error().what.find("certificate") != std::string::npos, file.error().what.c_str());
        QCOMPARE(filesUnder(cache.path()), 0);
    }
};

QTEST_GUILESS_MAIN(TestFetch)
#include "tst_Fetch.moc"
