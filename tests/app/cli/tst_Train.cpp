#include "tests/app/cli/Program.h"
#include "tests/app/cli/TinyWorld.h"
#include "tests/support/TestData.h"

#include <csignal>
#include <set>

using namespace trainyard::testing;
using nlohmann::json;

namespace {
/// What everybody who reads the lines relies on, event by event.
const std::map<std::string, std::vector<std::string>> kMembers = {
    {"run", {"id", "folder", "configuration"}},
    {"iteration", {"iteration", "loss", "losses", "learning_rate", "seconds", "eta_seconds"}},
    {"checkpoint", {"iteration", "path", "bytes"}},
    {"evaluation", {"iteration", "metrics"}},
    {"warning", {"text"}},
    {"finished", {"status", "iteration", "checkpoints"}},
};

std::vector<json> eventsOf(const std::vector<json>& lines, const std::string& event) {
    std::vector<json> found;
    for (const json& line : lines)
        if (line.at("event") == event)
            found.push_back(line);
    return found;
}
} // namespace

class TestTrain : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void tellsItsRunInLines_data() {
        QTest::addColumn<bool>("isDetector");
        QTest::newRow("words") << false;
        QTest::newRow("boxes") << true;
    }
    void tellsItsRunInLines() {
        QFETCH(bool, isDetector);
        ScratchFolder folder;
        if (isDetector)
            makeCoco(folder / "data");
        else
            makeWords(folder / "data");
        const auto config = isDetector ? makeRetinaNetConfig(folder.path(), folder / "data")
                                       : makeCrnnConfig(folder.path(), folder / "data");
        const std::string data = hashOfTree(folder / "data");
        const Ended ended = runProgram({"train", config.string(), "--json", "--name", "tiny"}, folder.path());
        VERIFY_CODE(ended, 0);
        const auto lines = ended.lines();
        for (const json& line : lines)
            for (const std::string& member : kMembers.at(line.at("event")))
                QVERIFY2(line.contains(member), (line.dump() + " lacks " + member).c_str());
        QCOMPARE(lines.front().at("event"), json("run"));
        QVERIFY(std::filesystem::exists(lines.front().at("configuration").get<std::string>()));
        QCOMPARE(lines.back().at("status"), json("finished"));
        QCOMPARE(lines.back().at("iteration"), json(isDetector ? 8 : 12));
        std::set<json> saved, listed;
        for (const json& line : eventsOf(lines, "checkpoint"))
            saved.insert(line.at("path"));
        for (const json& path : lines.back().at("checkpoints"))
            listed.insert(path);
        QCOMPARE(listed, saved);
        QCOMPARE(lines.back().at("checkpoints").at("final"), lines.back().at("checkpoints").at(isDetector ? "8" : "12"));

        const auto losses = lossesOf(lines);
        QCOMPARE(std::int64_t(losses.size()), isDetector ? 8 : 12);
        for (const json& line : eventsOf(lines, "iteration")) {
            double sum = 0;
            for (const auto& part : line.at("losses"))
                sum += part.get<double>();
            QVERIFY(qAbs(sum - line.at("loss").get<double>()) <= 1e-5 * qAbs(sum));
            QVERIFY(line.at("eta_seconds").is_null() || line.at("eta_seconds").get<double>() >= 0);
        }
        QVERIFY(eventsOf(lines, "checkpoint").size() >= 3);
        for (const json& line : eventsOf(lines, "checkpoint"))
            QCOMPARE(std::int64_t(std::filesystem::file_size(line.at("path").get<std::string>())),
                     line.at("bytes").get<std::int64_t>());
        QCOMPARE(eventsOf(lines, "evaluation").size(), 2u);
        QVERIFY(
            eventsOf(lines, "evaluation").back().at("metrics").contains(isDetector ? "bbox/AP50" : "word_accuracy"));
        QCOMPARE(hashOfTree(folder / "data"), data); // the user's folders are read only to us
        const auto run = std::filesystem::path(lines.front().at("folder").get<std::string>());
        QVERIFY(std::filesystem::exists(run / "pictures"));
    }

    void sameSeedGivesSameLosses() {
        ScratchFolder folder;
        makeWords(folder / "data");
        const auto config = makeCrnnConfig(folder.path(), folder / "data");
        const auto train = [&](const char* project, const char* workers) {
            return lossesOf(
                runProgram({"train", config.string(), "--json", "--project", project, workers}, folder.path()).lines());
        };
        const auto one = train("one", "data.workers=1"), other = train("other", "data.workers=4");
        QCOMPARE(one.size(), 12u);
        QCOMPARE(one, other);
    }

    void interruptedOnceItSavesAndLeaves_data() {
        QTest::addColumn<int>("signal");
        QTest::newRow("Ctrl+C") << SIGINT;
        QTest::newRow("a terminal that is closed") << SIGHUP;
    }
    void interruptedOnceItSavesAndLeaves() {
        QFETCH(int, signal);
        ScratchFolder folder;
        makeWords(folder / "data");
        const auto config = makeCrnnConfig(folder.path(), folder / "data");
        Program program(
            {"train", config.string(), "--json", "solve.iterations=100000", "train.checkpoint_every=100000"},
            folder.path());
        QVERIFY(program.waitFor("iteration", 3));
        program.signal(signal);
        const Ended ended = program.wait();
        VERIFY_CODE(ended, 130);
        const auto lines = ended.lines();
        QCOMPARE(lines.back().at("status"), json("stopped"));
        const auto saved = eventsOf(lines, "checkpoint");
        QCOMPARE(saved.size(), 1u);
        QCOMPARE(saved.front().at("iteration"), lines.back().at("iteration"));
        const auto runs = runProgram({"runs", "list", "--json"}, folder.path()).lines();
        QCOMPARE(runs.front().at("status"), json("stopped"));
    }

    void aFinishedRunThatMayNotGoOnStaysFinished() {
        ScratchFolder folder;
        makeWords(folder / "data");
        const auto config = makeCrnnConfig(folder.path(), folder / "data");
        VERIFY_CODE(runProgram({"train", config.string(), "solve.iterations=2"}, folder.path()), 0);
        std::filesystem::remove(folder / "data/word9.png");
        VERIFY_CODE(runProgram({"resume", "1", "--further", "2"}, folder.path()), 2);
        const auto run = runProgram({"runs", "list", "--json"}, folder.path()).lines().front();
        QCOMPARE(run.at("status"), json("finished"));
    }

    void aRunMayHaveAnAtSignInItsName() {
        ScratchFolder folder;
        makeWords(folder / "data");
        const auto config = makeCrnnConfig(folder.path(), folder / "data");
        VERIFY_CODE(runProgram({"train", config.string(), "solve.iterations=2", "--name", "a@b"}, folder.path()), 0);
        for (const char* reference : {"a@b", "a@b@newest", "1@2"})
            VERIFY_CODE(runProgram({"predict", reference, "data/word0.png"}, folder.path()), 0);
    }

    void autoResumeIsIdempotent() {
        ScratchFolder folder;
        makeWords(folder / "data");
        const auto config = makeCrnnConfig(folder.path(), folder / "data");
        const std::vector<std::string> train = {"train", config.string(), "--json", "--name", "again", "--auto-resume"};
        auto longer = train;
        longer.push_back("solve.iterations=100000");
        Program program(longer, folder.path());
        const auto checkpoint = program.waitFor("checkpoint");
        QVERIFY(checkpoint);
        program.signal(SIGTERM);
        VERIFY_CODE(program.wait(), 130);
        const auto stopped = runProgram({"runs", "show", "again", "--json"}, folder.path()).lines().front();

        auto rest = train;
        const auto reached = stopped.at("iteration").get<std::int64_t>();
        rest.push_back("solve.iterations=" + std::to_string(reached + 4));
        const Ended resumed = runProgram(rest, folder.path());
        VERIFY_CODE(resumed, 0);
        QCOMPARE(resumed.lines().front().at("id"), json(1));
        QCOMPARE(lossesOf(resumed.lines()).begin()->first, reached + 1);

        const Ended done = runProgram(rest, folder.path());
        VERIFY_CODE(done, 0);
        QCOMPARE(done.lines().back().at("iteration"), json(reached + 4));
        QVERIFY(done.lines().back().at("checkpoints").contains("final"));
        QVERIFY(lossesOf(done.lines()).empty());
        QCOMPARE(runProgram({"runs", "list", "--json"}, folder.path()).lines().size(), 1u);

        const Ended plain = runProgram({"resume", "again"}, folder.path());
        VERIFY_CODE(plain, 2);
        QVERIFY(plain.err.find("finished already") != std::string::npos);
        const Ended further = runProgram({"resume", "again", "--further", "2", "--json"}, folder.path());
        VERIFY_CODE(further, 0);
        QCOMPARE(further.lines().back().at("iteration"), json(reached + 6));
    }

    // A finished run ends at once: its data is never opened, it may be gone.
    void autoResumeOfAFinishedRunOpensNoData() {
        ScratchFolder folder;
        makeWords(folder / "data");
        const auto config = makeCrnnConfig(folder.path(), folder / "data");
        const std::vector<std::string> train = {"train", config.string(), "--json", "--name", "again", "--auto-resume"};
        const Ended first = runProgram(train, folder.path());
        VERIFY_CODE(first, 0);
        std::filesystem::remove_all(folder / "data");
        const Ended done = runProgram(train, folder.path());
        VERIFY_CODE(done, 0);
        QCOMPARE(done.lines().back().dump(), first.lines().back().dump()); // the map of checkpoints too
    }

    // Killed at 15 of 20: the same command goes on with 16, or behind the newest checkpoint.
    void autoResumeGoesOnAfterAKill() {
        ScratchFolder folder;
        makeWords(folder / "data");
        const auto config = makeCrnnConfig(folder.path(), folder / "data");
        const std::vector<std::string> train = {"train", config.string(), "--json", "--name", "again", "--auto-resume",
                                                "solve.iterations=20", "train.checkpoint_every=5",
                                                "train.evaluate_every=0"};
        auto slow = train;
        Program program(slow, folder.path());
        QVERIFY(program.waitFor("checkpoint", 15));
        program.signal(SIGKILL);
        (void)program.wait();
        const Ended resumed = runProgram(train, folder.path());
        VERIFY_CODE(resumed, 0);
        QCOMPARE(resumed.lines().back().at("iteration"), json(20));
        const auto losses = lossesOf(resumed.lines());
        if (!losses.empty()) // the kill may have come after the last checkpoint
            QCOMPARE(losses.begin()->first, 16);
    }

    void aStoppedRunThatMayNotGoOnStaysStopped() {
        ScratchFolder folder;
        makeWords(folder / "data");
        const auto config = makeCrnnConfig(folder.path(), folder / "data");
        Program program({"train", config.string(), "--json", "solve.iterations=100000"}, folder.path());
        QVERIFY(program.waitFor("checkpoint", 1));
        program.signal(SIGTERM);
        VERIFY_CODE(program.wait(), 130);
        std::filesystem::remove(folder / "data/word9.png");
        const Ended refused = runProgram({"resume", "1"}, folder.path());
        VERIFY_CODE(refused, 2);
        QVERIFY2(refused.out.find("it stays stopped") != std::string::npos, refused.out.c_str());
        const auto run = runProgram({"runs", "list", "--json"}, folder.path()).lines().front();
        QCOMPARE(run.at("status"), json("stopped"));
    }

    void skipsADamagedCheckpointAndSaysSo() {
        ScratchFolder folder;
        makeWords(folder / "data");
        const auto config = makeCrnnConfig(folder.path(), folder / "data");
        const Ended first = runProgram({"train", config.string(), "--json"}, folder.path());
        VERIFY_CODE(first, 0);
        const auto saved = eventsOf(first.lines(), "checkpoint");
        QVERIFY(saved.size() >= 3);
        const std::filesystem::path newest = saved.back().at("path").get<std::string>();
        std::filesystem::resize_file(newest, std::filesystem::file_size(newest) / 2);
        const Ended resumed = runProgram({"resume", "1", "--further", "2", "--json"}, folder.path());
        VERIFY_CODE(resumed, 0);
        const auto warnings = eventsOf(resumed.lines(), "warning");
        QVERIFY(!warnings.empty());
        QVERIFY(warnings.front().at("text").get<std::string>().find(newest.filename().string()) != std::string::npos);
        QCOMPARE(lossesOf(resumed.lines()).begin()->first, 9); // 8 is the one before the last, 12
    }

    void refusesOtherDataUntilTold() {
        ScratchFolder folder;
        makeWords(folder / "data");
        const auto config = makeCrnnConfig(folder.path(), folder / "data");
        VERIFY_CODE(runProgram({"train", config.string()}, folder.path()), 0);
        std::string labels = readText(folder / "data/labels.txt");
        labels.replace(labels.find("word2.png e7"), 12, "word2.png e8");
        writeText(folder / "data/labels.txt", labels);
        const Ended refused = runProgram({"resume", "1", "--further", "2"}, folder.path());
        VERIFY_CODE(refused, 2);
        QVERIFY2(refused.err.find("1 sample altered (word2.png)") != std::string::npos, refused.err.c_str());
        QVERIFY(refused.err.find("--accept-changes") != std::string::npos);
        QVERIFY2(refused.out.find("stays finished after iteration") != std::string::npos, refused.out.c_str());
        const Ended accepted = runProgram({"resume", "1", "--further", "2", "--accept-changes"}, folder.path());
        VERIFY_CODE(accepted, 0);
        const auto shown = runProgram({"runs", "show", "1", "--json"}, folder.path()).lines().front();
        QVERIFY(shown.at("events").dump().find("altered") != std::string::npos);
        VERIFY_CODE(runProgram({"resume", "1", "--further", "2"}, folder.path()), 0); // accepted once is enough
    }

    void branchesFromAnOlderCheckpoint() {
        ScratchFolder folder;
        makeWords(folder / "data");
        const auto config = makeCrnnConfig(folder.path(), folder / "data");
        const Ended first = runProgram({"train", config.string(), "--json"}, folder.path());
        VERIFY_CODE(first, 0);
        const Ended branch = runProgram({"resume", "1", "--from", "@4", "--json"}, folder.path());
        VERIFY_CODE(branch, 0);
        const auto whole = lossesOf(first.lines()), again = lossesOf(branch.lines());
        QCOMPARE(again.begin()->first, 5);
        for (const auto& [iteration, losses] : again)
            QCOMPARE(losses, whole.at(iteration));
    }

    /// D57: what is wrong with the model is said before any data is looked at; here there is none.
    void aBadModelFailsBeforeAnyData_data() {
        QTest::addColumn<QString>("override");
        QTest::newRow("no such model") << "model.type=retinnet";
        QTest::newRow("no such body") << "model.retinanet.depth=19";
        QTest::newRow("anchors for too few levels") << "model.retinanet.anchor_sizes=[16, 24]";
    }
    void aBadModelFailsBeforeAnyData() {
        QFETCH(QString, override);
        ScratchFolder folder;
        makeCoco(folder / "data", 2);
        const auto config = makeRetinaNetConfig(folder.path(), folder / "data");
        std::filesystem::remove_all(folder / "data");
        const Ended missing = runProgram({"train", config.string(), "--json"}, folder.path());
        VERIFY_CODE(missing, 3);
        const Ended ended = runProgram({"train", config.string(), override.toStdString(), "--json"}, folder.path());
        VERIFY_CODE(ended, 2);
        const std::string key = override.section('=', 0, 0).toStdString();
        QVERIFY2(ended.err.find(key) != std::string::npos, ended.err.c_str());
        QVERIFY2(ended.err.find((folder / "data").string()) == std::string::npos, ended.err.c_str());
        QVERIFY(!std::filesystem::exists(folder / "runs")); // and no run was begun
    }

    void changesOnlyWhatMayChangeOnResume() {
        ScratchFolder folder;
        makeWords(folder / "data");
        const auto config = makeCrnnConfig(folder.path(), folder / "data");
        VERIFY_CODE(runProgram({"train", config.string()}, folder.path()), 0);
        const Ended refused = runProgram({"resume", "1", "--further", "2", "model.crnn.hidden=16"}, folder.path());
        VERIFY_CODE(refused, 2);
        QVERIFY(refused.err.find("model.crnn.hidden") != std::string::npos);
        const Ended changed =
            runProgram({"resume", "1", "--further", "2", "solve.base_lr=0.01", "--json"}, folder.path());
        VERIFY_CODE(changed, 0);
        QCOMPARE(eventsOf(changed.lines(), "iteration").front().at("learning_rate"), json(0.01));
    }

    void goesOnWhenNobodyReads() {
        ScratchFolder folder;
        makeWords(folder / "data");
        const auto config = makeCrnnConfig(folder.path(), folder / "data");
        const Ended ended = runProgram(
            {}, folder.path(), {}, {"/bin/sh", "-c", "\"$0\" train " + config.string() + " --json | head -n 1; true"});
        VERIFY_CODE(ended, 0);
        const auto run = runProgram({"runs", "show", "1", "--json"}, folder.path()).lines().front();
        QCOMPARE(run.at("status"), json("finished"));
    }

    void takesDataFromTheCommandLine() {
        ScratchFolder folder;
        makeVoc(folder / "cells");
        makeCoco(folder / "unused");
        const auto config = makeRetinaNetConfig(folder.path(), folder / "unused");
        const Ended ended = runProgram({"train", config.string(), "--json", "--data", "cells", "--validation",
                                        "voc:cells#test", "solve.iterations=2", "train.evaluate_every=2"},
                                       folder.path());
        VERIFY_CODE(ended, 0);
        QCOMPARE(eventsOf(ended.lines(), "evaluation").front().at("samples"),
                 json(2)); // 10 pictures, every 4th in the test part
    }
};

QTEST_GUILESS_MAIN(TestTrain)
#include "tst_Train.moc"
