#include "core/base/AtomicFile.h"
#include "tests/support/TestData.h"

#include <sys/wait.h>
#include <unistd.h>

using namespace trainyard;

class tst_AtomicFile : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void appearsOnlyWhenCommitted() {
        testing::ScratchFolder folder;
        {
            auto file = AtomicFile::create(folder / "a.bin");
            VERIFY_RESULT(file);
            VERIFY_RESULT(file->write("half"));
            QVERIFY(!std::filesystem::exists(folder / "a.bin"));
        }
        QVERIFY(std::filesystem::is_empty(folder.path()));
        VERIFY_RESULT(writeFile(folder / "a.bin", "whole"));
        const auto text = readFile(folder / "a.bin");
        VERIFY_RESULT(text);
        QCOMPARE(*text, std::string("whole"));
    }

    void keepsTheOldFileWhenKilled() {
        testing::ScratchFolder folder;
        VERIFY_RESULT(writeFile(folder / "a.bin", "old"));
        const pid_t child = ::fork();
        if (child == 0) {
            auto file = AtomicFile::create(folder / "a.bin");
            (void)file->write("new and unfinished"); // the kill is the point; nobody is left to be told
            ::kill(::getpid(), SIGKILL);
        }
        int status = 0;
        ::waitpid(child, &status, 0);
        QVERIFY(WIFSIGNALED(status));
        const auto text = readFile(folder / "a.bin");
        VERIFY_RESULT(text);
        QCOMPARE(*text, std::string("old"));
    }

    void namesAMissingFolder() {
        testing::ScratchFolder folder;
        const auto file = AtomicFile::create(folder / "no/such/a.bin");
        QVERIFY(!file);
        QCOMPARE(exitCode(file.error().kind), 5);
        QVERIFY(file.error().sentence().find("does not exist") != std::string::npos);
    }

    void refusesADeviceThatNeverEnds() {
        const auto text = readFile("/dev/zero");
        QVERIFY(!text);
        QCOMPARE(text.error().sentence(), std::string("/dev/zero: This is a device, not a file."));
    }

    void aLineBreakInANameKeepsTheSentenceOnOneLine() {
        const auto text = readFile("/no\nsuch\r\x1b[31m");
        QVERIFY(!text);
        QCOMPARE(text.error().sentence(), std::string("/no\\nsuch\\r\\e[31m: The file does not exist."));
    }
};

QTEST_GUILESS_MAIN(tst_AtomicFile)
#include "tst_AtomicFile.moc"
