#include "tests/app/cli/Program.h"
#include "tests/app/cli/TinyWorld.h"
#include "tests/support/TestData.h"

#include <QFile>

#include <csignal>

using namespace trainyard::testing;
using nlohmann::json;

namespace {

bool holds(const std::filesystem::path& folder, const std::string& start) {
    std::error_code none;
    for (const auto& entry : std::filesystem::directory_iterator(folder, none))
        if (entry.path().filename().string().starts_with(start))
            return true;
    return false;
}

} // namespace

/// What a run leaves for other programs, and what follows its checkpoints.
class TestOutputs : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void initTestCase() {
        makeWords(m_folder / "data");
        m_config = makeCrnnConfig(m_folder.path(), m_folder / "data").string();
    }

    void aRunWritesWhatItIsAskedFor() {
        const Ended ended = runProgram({"train", m_config, "--json", "--name", "asked", "train.event_files=true",
                                        "train.json_stats=true", "train.profile_at=2", "train.recompute=true"},
                                       m_folder.path());
        VERIFY_CODE(ended, 0);
        const std::filesystem::path run = ended.lines().front().at("folder").get<std::string>();
        QVERIFY(holds(run / "events", "events.out.tfevents."));
        const json trace = json::parse(readText(run / "trace-2.json"));
        QVERIFY(trace.at("traceEvents").size() > 50);
        const std::string stats = readText(run / "json_stats.log");
        QVERIFY2(stats.starts_with("json_stats: {\"ctc\"") || stats.starts_with("json_stats: {\""), stats.c_str());
        QVERIFY(stats.find("\"iter\": 11") != std::string::npos); // the last of 12
        QVERIFY(readText(run / "graph.txt").find("aten::conv2d") != std::string::npos);
        QVERIFY(readText(run / "init.txt").find("\ttrained\n") != std::string::npos);
        // taken away with the run
        VERIFY_CODE(runProgram({"runs", "delete", "asked", "--for-good"}, m_folder.path()), 0);
        QVERIFY(!std::filesystem::exists(run));
    }

    void aRunWritesNothingElse() {
        const Ended ended = runProgram({"train", m_config, "--json", "--name", "plain"}, m_folder.path());
        VERIFY_CODE(ended, 0);
        const std::filesystem::path run = ended.lines().front().at("folder").get<std::string>();
        QVERIFY(!std::filesystem::exists(run / "events") && !std::filesystem::exists(run / "json_stats.log"));
        QVERIFY(!holds(run, "trace-"));
        QVERIFY(std::filesystem::exists(run / "graph.txt") && std::filesystem::exists(run / "init.txt"));
        const Ended refused = runProgram({"evaluate", "plain", "--weights", "averaged"}, m_folder.path());
        VERIFY_CODE(refused, 2);
        QVERIFY2(refused.err.find("solve.average_decay") != std::string::npos, refused.err.c_str());
    }

    void anEvaluationTakesTheWeightsItIsToldTo() {
        VERIFY_CODE(runProgram({"train", m_config, "--name", "averaged", "solve.average_decay=0.9"}, m_folder.path()),
                    0);
        for (const char* weights : {"raw", "averaged"}) {
            const Ended ended = runProgram({"evaluate", "averaged", "--weights", weights, "--json"}, m_folder.path());
            VERIFY_CODE(ended, 0);
            QCOMPARE(ended.lines().front().at("weights"), json(weights));
        }
        const Ended plain = runProgram({"evaluate", "averaged"}, m_folder.path());
        VERIFY_CODE(plain, 0);
        QVERIFY2(plain.out.find("raw weights") != std::string::npos, plain.out.c_str());
    }

    // The checkpoints of iterations 4, 8 and 12, each once, and kept beside the two evaluations of the training.
    void followsEachCheckpointOnce() {
        VERIFY_CODE(runProgram({"train", m_config, "--name", "followed"}, m_folder.path()), 0);
        const Ended ended = runProgram({"evaluate", "followed", "--follow", "--json"}, m_folder.path());
        VERIFY_CODE(ended, 0);
        std::vector<int> iterations;
        for (const json& line : ended.lines())
            iterations.push_back(line.at("iteration"));
        const auto shown = runProgram({"runs", "show", "followed", "--json"}, m_folder.path()).lines().front();
        std::vector<int> there;
        for (const json& checkpoint : shown.at("checkpoints"))
            there.push_back(checkpoint.at("iteration"));
        std::sort(there.begin(), there.end());
        QCOMPARE(iterations, there);
        QVERIFY(iterations.size() >= 3);
        QCOMPARE(shown.at("evaluations").size(), 2 + iterations.size());
    }

    // What the process was started with, as the system tells it; somebody else's choice is left alone.
    void computeThreadsWaitPatiently_data() {
        QTest::addColumn<QString>("chosen");
        QTest::addColumn<QString>("found");
        QTest::newRow("nothing chosen") << ""
                                        << "GOMP_SPINCOUNT=1000";
        QTest::newRow("chosen") << "GOMP_SPINCOUNT=77"
                                << "GOMP_SPINCOUNT=77";
    }
    void computeThreadsWaitPatiently() {
        QFETCH(QString, chosen);
        QFETCH(QString, found);
        std::vector<std::string> wrapper = {"/usr/bin/env", "-u", "GOMP_SPINCOUNT", "-u", "OMP_WAIT_POLICY"};
        if (!chosen.isEmpty())
            wrapper.push_back(chosen.toStdString());
        Program program({"train", m_config, "--json", "solve.iterations=100000"}, m_folder.path(), {}, wrapper);
        QVERIFY(program.waitFor("iteration", 1));
        QFile file(QString("/proc/%1/environ").arg(program.id()));
        QVERIFY(file.open(QIODevice::ReadOnly));
        QVERIFY(file.readAll().split('\0').contains(found.toUtf8()));
        program.signal(SIGTERM);
        VERIFY_CODE(program.wait(), 130);
    }

    void followingNeedsARun() {
        VERIFY_CODE(runProgram({"evaluate", "--follow"}, m_folder.path()), 2);
        VERIFY_CODE(runProgram({"evaluate", "followed", "--follow", "--output", "x.jsonl"}, m_folder.path()), 2);
    }

private:
    ScratchFolder m_folder;
    std::string m_config;
};

QTEST_GUILESS_MAIN(TestOutputs)
#include "tst_Outputs.moc"
