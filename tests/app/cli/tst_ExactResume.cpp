#include "tests/app/cli/Program.h"
#include "tests/app/cli/TinyWorld.h"
#include "tests/support/TestData.h"

#include <csignal>

using namespace trainyard::testing;
using Arguments = std::vector<std::string>;

namespace {
Arguments operator+(Arguments a, const Arguments& b) {
    a.insert(a.end(), b.begin(), b.end());
    return a;
}
} // namespace

/// Killed at a random moment and resumed, a run's losses are those of the uninterrupted run to the last bit.
class TestExactResume : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void killedAndResumedEqualsUninterrupted_data() {
        QTest::addColumn<bool>("isDetector");
        QTest::addColumn<QString>("precision");
        QTest::addColumn<int>("workers");
        QTest::addColumn<bool>("hasTwoReplicas"); // with one, the data moves before the resume
        QTest::addColumn<int>(
            "killAt"); // the iteration seen before the kill; checkpoints come every 3, epochs end after 5
        QTest::newRow("words, fp32, 1 worker") << false << "fp32" << 1 << false << 5;
        QTest::newRow("words, fp32, 3 workers, 2 replicas") << false << "fp32" << 3 << true << 8;
        QTest::newRow("words, default precision, 3 workers") << false << "auto" << 3 << false << 7;
        QTest::newRow("words, bf16, 1 worker, 2 replicas") << false << "bf16" << 1 << true << 4;
        QTest::newRow("boxes, fp32, 3 workers") << true << "fp32" << 3 << false << 4;
        QTest::newRow("boxes, fp32, 1 worker, 2 replicas") << true << "fp32" << 1 << true << 7;
        QTest::newRow("boxes, default precision, 1 worker") << true << "auto" << 1 << false << 5;
        QTest::newRow("boxes, bf16, 3 workers, 2 replicas") << true << "bf16" << 3 << true << 8;
    }
    void killedAndResumedEqualsUninterrupted() {
        QFETCH(bool, isDetector);
        QFETCH(QString, precision);
        QFETCH(int, workers);
        QFETCH(bool, hasTwoReplicas);
        QFETCH(int, killAt);
        ScratchFolder folder;
        if (isDetector)
            makeCoco(folder / "data");
        else
            makeWords(folder / "data");
        const auto config = isDetector ? makeRetinaNetConfig(folder.path(), folder / "data")
                                       : makeCrnnConfig(folder.path(), folder / "data");
        const Arguments train = {"train",
                                 config.string(),
                                 "--json",
                                 "train.precision=" + precision.toStdString(),
                                 "data.workers=" + std::to_string(workers),
                                 "train.checkpoint_every=3",
                                 "train.evaluate_every=5",
                                 "evaluate.max_samples=4",
                                 hasTwoReplicas ? "train.devices=[cpu,cpu]" : "train.devices=[]"};

        const bool hasMoved = !hasTwoReplicas;
        const auto setRoot = [&](const std::string& place) {
            return runProgram({"project", "roots", "set", "here", place, "--project", "cut"}, folder.path());
        };
        VERIFY_CODE(setRoot("data"), 0);

        // Cut off: planned far beyond what it reaches, so that the kill always meets a living process.
        Program victim(train + Arguments{"solve.iterations=100000", "--project", "cut"}, folder.path());
        QVERIFY(victim.waitFor("checkpoint"));
        QVERIFY(victim.waitFor("iteration", killAt));
        victim.signal(SIGKILL);
        const Ended killed = victim.wait();
        QCOMPARE(killed.code, 128 + SIGKILL);
        std::string whole = killed.out.substr(0, killed.out.rfind('\n') + 1); // the kill may have cut a line
        const auto before = lossesOf(Ended{0, whole, ""}.lines());

        std::int64_t newest = 0;
        for (const auto& line :
             runProgram({"checkpoints", "list", "1", "--json", "--project", "cut"}, folder.path()).lines())
            newest = std::max(newest, line.at("iteration").get<std::int64_t>());
        QVERIFY(newest >= 3);
        const std::int64_t last = newest + 6;
        if (hasMoved) {
            std::filesystem::rename(folder / "data", folder / "elsewhere");
            const Ended lost = runProgram({"resume", "1", "--json", "--project", "cut"}, folder.path());
            VERIFY_CODE(lost, 3);
            QVERIFY2(lost.err.find("trainyard project roots set here FOLDER") != std::string::npos, lost.err.c_str());
            VERIFY_CODE(setRoot("elsewhere"), 0);
        }
        const Ended resumed = runProgram(
            {"resume", "1", "solve.iterations=" + std::to_string(last), "--json", "--project", "cut"}, folder.path());
        VERIFY_CODE(resumed, 0);
        const auto after = lossesOf(resumed.lines());
        QCOMPARE(after.begin()->first, newest + 1);
        QCOMPARE(after.rbegin()->first, last);

        const std::string stored =
            readText(folder / "cut/runs" / (isDetector ? "1-retinanet-data" : "1-crnn-data") / "config.yaml");
        QVERIFY2(stored.find("${here}") != std::string::npos &&
                     stored.find(folder.path().string()) == std::string::npos,
                 stored.c_str());
        if (hasMoved)
            std::filesystem::rename(folder / "elsewhere", folder / "data");
        const Ended uninterrupted = runProgram(
            train + Arguments{"solve.iterations=" + std::to_string(last), "--project", "whole"}, folder.path());
        VERIFY_CODE(uninterrupted, 0);
        const auto wanted = lossesOf(uninterrupted.lines());
        QCOMPARE(std::int64_t(wanted.size()), last);
        for (const auto& [iteration, losses] : after)
            QCOMPARE(losses, wanted.at(iteration));
        for (const auto& [iteration, losses] : before)
            if (iteration <= last)
                QCOMPARE(losses, wanted.at(iteration));
    }
};

QTEST_GUILESS_MAIN(TestExactResume)
#include "tst_ExactResume.moc"
