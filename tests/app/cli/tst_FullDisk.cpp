#include "tests/app/cli/Program.h"
#include "tests/app/cli/TinyWorld.h"
#include "tests/support/TestData.h"

#include <csignal>

using namespace trainyard::testing;
using nlohmann::json;

/// A file size limit stands for the full disk: the checkpoint does not fit, the rest does.
class TestFullDisk : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void pausesAndSaysSoAndKeepsWhatThereWas() {
        ScratchFolder folder;
        makeWords(folder / "data");
        const auto config = makeCrnnConfig(folder.path(), folder / "data");
        VERIFY_CODE(runProgram({"train", config.string(), "--project", "p"}, folder.path()), 0);
        std::vector<std::filesystem::path> saved;
        for (const auto& entry : std::filesystem::recursive_directory_iterator(folder / "p"))
            if (entry.path().extension() == ".pth")
                saved.push_back(entry.path());
        const auto bytes = std::filesystem::file_size(saved.front());
        const std::string before = hashOfTree(saved.front().parent_path());

        // In blocks of 512 bytes; the signal that would end the process is ignored, so that writing fails instead.
        const std::string limit = std::to_string(bytes * 3 / 4 / 512);
        Program program({"resume", "1", "--further", "100000", "--json", "--project", "p", "train.evaluate_every=0"},
                        folder.path(), {},
                        {"/bin/sh", "-c", "trap '' XFSZ; ulimit -f " + limit + "; exec \"$0\" \"$@\""});
        const auto warning = program.waitFor("warning");
        QVERIFY(warning);
        QVERIFY2(warning->at("text").get<std::string>().find("iteration-00000016.pth") != std::string::npos,
                 warning->dump().c_str());
        program.signal(SIGINT);
        const Ended ended = program.wait();
        VERIFY_CODE(ended, 5);
        QCOMPARE(hashOfTree(saved.front().parent_path()), before); // nothing lost, nothing half-written left behind
        VERIFY_CODE(runProgram({"resume", "1", "solve.iterations=20", "--project", "p"}, folder.path()), 0);
    }
};

QTEST_GUILESS_MAIN(TestFullDisk)
#include "tst_FullDisk.moc"
