#include "tests/app/cli/Program.h"
#include "tests/app/cli/TinyWorld.h"
#include "tests/support/TestData.h"

#include "core/project/Project.h"

#include <csignal>
#include <memory>

using namespace trainyard::testing;
using nlohmann::json;

/// The verbs that look after a project. One project, trained once.
class TestProjectVerbs : public QObject {
    Q_OBJECT
    std::unique_ptr<ScratchFolder> m_folder;

    Ended run(const std::vector<std::string>& arguments) { return runProgram(arguments, m_folder->path()); }

private Q_SLOTS:
    void initTestCase() {
        m_folder = std::make_unique<ScratchFolder>();
        makeWords(*m_folder / "words");
        makeCoco(*m_folder / "coco");
        const auto crnn = makeCrnnConfig(m_folder->path(), *m_folder / "words");
        const auto retinanet = makeRetinaNetConfig(m_folder->path(), *m_folder / "coco");
        VERIFY_CODE(run({"train", crnn.string(), "--name", "words"}), 0);
        VERIFY_CODE(run({"train", retinanet.string(), "--name", "boxes"}), 0);
        VERIFY_CODE(run({"train", crnn.string(), "--name", "slower", "solve.base_lr=0.01", "solve.iterations=4"}), 0);
    }

    void listsAndShowsRuns() {
        const auto runs = run({"runs", "list", "--json"}).lines();
        QCOMPARE(runs.size(), 3u);
        QCOMPARE(runs[0].at("name"), json("words"));
        QCOMPARE(runs[1].at("task"), json("detection"));
        QCOMPARE(runs[2].at("iteration"), json(4));
        const std::string table = run({"runs", "list"}).out;
        const std::string line =
            table.substr(table.find("boxes"), table.find('\n', table.find("boxes")) - table.find("boxes"));
        QVERIFY2(line.starts_with("boxes   retinanet  finished      8 / 8  "), line.c_str());
        const json shown = onlyLine(run({"runs", "show", "words", "--json"}));
        QCOMPARE(shown.at("seed"), json(5));
        QVERIFY(shown.at("checkpoints").size() >= 3); // every 4 of 12, and the best
        QCOMPARE(shown.at("evaluations").size(), 2u);
        QVERIFY(shown.at("data_fingerprint").get<std::string>().size() == 32);
        QVERIFY(!shown.at("best_value").is_null());
    }

    void findsTheProjectUpwards() {
        std::filesystem::create_directories(*m_folder / "deep/er");
        QCOMPARE(runProgram({"runs", "list", "--json"}, *m_folder / "deep/er").lines().size(), 3u);
    }

    void comparesRuns() {
        const auto lines = run({"runs", "compare", "words", "slower", "--json"}).lines();
        QCOMPARE(lines.size(), 2u);
        QCOMPARE(lines[0].at("differing"), json({{"solve.base_lr", "0.05"}, {"solve.iterations", "12"}}));
        QCOMPARE(lines[1].at("differing"), json({{"solve.base_lr", "0.01"}, {"solve.iterations", "4"}}));
    }

    void tagsRuns() {
        VERIFY_CODE(run({"runs", "tag", "words", "good", "paper"}), 0);
        VERIFY_CODE(run({"runs", "tag", "words", "good", "--remove"}), 0);
        QCOMPARE(onlyLine(run({"runs", "show", "words", "--json"})).at("tags"), json({"paper"}));
    }

    void deletesAndRestoresRuns() {
        VERIFY_CODE(run({"runs", "delete", "slower"}), 0);
        QCOMPARE(run({"runs", "list", "--json"}).lines().size(), 2u);
        VERIFY_CODE(run({"runs", "restore", "3"}), 0);
        QCOMPARE(run({"runs", "list", "--json"}).lines().size(), 3u);
        VERIFY_CODE(run({"runs", "delete", "slower", "--for-good"}), 0);
        QCOMPARE(run({"runs", "list", "--json"}).lines().size(), 2u);
        QVERIFY(!std::filesystem::exists(*m_folder / "runs/3-slower"));
        QVERIFY(run({"runs", "restore", "3"}).code != 0);
    }

    void pinsDeletesAndRestoresCheckpoints() {
        const auto all = run({"checkpoints", "list", "words", "--json"}).lines();
        const std::string id = all.front().at("checkpoint");
        QCOMPARE(id, std::string("1@4"));
        VERIFY_CODE(run({"checkpoints", "pin", id}), 0);
        VERIFY_CODE(run({"checkpoints", "delete", "words@4"}), 2); // the same one: pinned
        VERIFY_CODE(run({"checkpoints", "pin", "--remove", "words@4"}), 0);
        VERIFY_CODE(run({"checkpoints", "delete", id}), 0);
        QCOMPARE(run({"checkpoints", "list", "words", "--json"}).lines().size(), all.size() - 1);
        VERIFY_CODE(run({"checkpoints", "restore", id}), 0);
        QCOMPARE(run({"checkpoints", "list", "words", "--json"}).lines().size(), all.size());
        QVERIFY(std::filesystem::exists(*m_folder / "runs/1-words" / all.front().at("path").get<std::string>()));
    }

    void namesCheckpointsByTheirFiles() {
        const auto first = run({"checkpoints", "list", "words", "--json"}).lines().front();
        const std::string file = "runs/1-words/" + first.at("path").get<std::string>();
        VERIFY_CODE(run({"checkpoints", "pin", file}), 0);
        QVERIFY(run({"checkpoints", "list", "words", "--json"}).lines().front().at("pinned").get<bool>());
        VERIFY_CODE(run({"checkpoints", "pin", "--remove", first.at("checkpoint")}), 0);
    }

    void keepsAndRePointsDataRoots() {
        QVERIFY(run({"project", "roots"}).out.find("No data roots yet") != std::string::npos);
        const Ended set = run({"project", "roots", "set", "words", "words"});
        VERIFY_CODE(set, 0);
        const json root = onlyLine(run({"project", "roots", "--json"}));
        QCOMPARE(root.at("folder"), json((*m_folder / "words").string()));
        QVERIFY(root.at("there").get<bool>());
        QVERIFY(root.at("runs").size() >= 1 && root.at("runs")[0] == 1); // trained before it had a name
        const std::string stored = readText(*m_folder / "runs/1-words/config.yaml");
        QVERIFY2(stored.find("${words}") != std::string::npos, stored.c_str());
        std::filesystem::rename(*m_folder / "words", *m_folder / "moved");
        QVERIFY(!onlyLine(run({"project", "roots", "list", "--json"})).at("there").get<bool>());
        VERIFY_CODE(run({"evaluate", "words@4"}), 3);
        VERIFY_CODE(run({"project", "roots", "set", "words", "moved"}), 0);
        VERIFY_CODE(run({"evaluate", "words@4"}), 0);
        QCOMPARE(onlyLine(run({"data", "inspect", "${words}", "--json"})).at("samples"), json(10));
        std::filesystem::rename(*m_folder / "moved", *m_folder / "words");
        VERIFY_CODE(run({"project", "roots", "set", "words", "words"}), 0);
        const Ended twice = run({"train", "crnn.yaml", "--name", "words", "--auto-resume"});
        VERIFY_CODE(twice, 0); // the same data by another name: nothing changed
        QVERIFY2(twice.out.find("finished already") != std::string::npos, twice.out.c_str());
        const Ended removed = run({"project", "roots", "remove", "words"});
        VERIFY_CODE(removed, 0);
        QVERIFY2(removed.out.find("runs 1") != std::string::npos, removed.out.c_str());
        const Ended lost = run({"resume", "words", "--further", "1"});
        VERIFY_CODE(lost, 2);
        for (const char* part : {"run 1 \"words\"", "${words}", "trainyard project roots set words FOLDER"})
            QVERIFY2(lost.err.find(part) != std::string::npos, lost.err.c_str());
        VERIFY_CODE(run({"project", "check"}), 5);
        VERIFY_CODE(run({"project", "roots", "set", "words", "words"}), 0);
        VERIFY_CODE(run({"project", "check"}), 0);
    }

    /// Its data turns out to be unreadable: as if it had been refused at once.
    void aRunThatCannotStartLeavesNothing() {
        std::filesystem::copy(*m_folder / "coco", *m_folder / "cut", std::filesystem::copy_options::recursive);
        std::filesystem::resize_file(*m_folder / "cut/annotations.json", 500);
        const auto before = run({"runs", "list", "--json"}).out;
        for (const char* bad : {"data.train=[{format: coco, path: cut}]", "model.weights=coco/annotations.json"}) {
            const Ended ended = run({"train", "retinanet.yaml", "--name", "bad", bad});
            QVERIFY2(ended.code == 2 || ended.code == 3 || ended.code == 5, ended.err.c_str());
            QVERIFY2(ended.out.find("nothing of it was recorded") != std::string::npos, ended.out.c_str());
            QCOMPARE(run({"runs", "list", "--json"}).out, before);
            for (const auto& entry : std::filesystem::directory_iterator(*m_folder / "runs"))
                QVERIFY2(entry.path().filename().string().find("bad") == std::string::npos, entry.path().c_str());
        }
        VERIFY_CODE(run({"project", "check"}), 0);
    }

    void checksAndRebuildsTheProject() {
        VERIFY_CODE(run({"project", "check"}), 0);
        ScratchFolder copy;
        std::filesystem::copy(*m_folder / "runs", copy / "runs", std::filesystem::copy_options::recursive);
        VERIFY_CODE(runProgram({"project", "rebuild"}, copy.path()), 0);
        const auto before = run({"runs", "list", "--json"}).lines(),
                   after = runProgram({"runs", "list", "--json"}, copy.path()).lines();
        QCOMPARE(after.size(), before.size());
        for (std::size_t i = 0; i < before.size(); ++i)
            for (const char* member : {"run", "name", "status", "iteration", "best_value"})
                QCOMPARE(after[i].at(member), before[i].at(member));
    }

    void refusesARunThatAnotherProcessTrains() {
        const auto lock = trainyard::RunLock::acquire(*m_folder / "runs/1-words");
        VERIFY_RESULT(lock);
        for (const std::vector<std::string>& arguments :
             {std::vector<std::string>{"resume", "words", "--further", "2"},
              {"runs", "delete", "words"},
              {"train", "crnn.yaml", "--name", "words", "--auto-resume", "solve.iterations=99"}})
            VERIFY_CODE(run(arguments), 5);
    }

    void callsAKilledRunLostUntilItIsResumed() {
        Program program({"train", "crnn.yaml", "--name", "victim", "--json", "solve.iterations=100000"},
                        m_folder->path());
        QVERIFY(program.waitFor("iteration", 5));
        QCOMPARE(onlyLine(run({"runs", "show", "victim", "--json"})).at("name"), json("victim")); // while it runs
        program.signal(SIGKILL);
        program.wait();
        const json lost = onlyLine(run({"runs", "show", "victim", "--json"}));
        QCOMPARE(lost.at("status"), json("lost"));
        const auto saved = lost.at("checkpoints").back().at("iteration").get<std::int64_t>();
        VERIFY_CODE(run({"resume", "victim", "solve.iterations=" + std::to_string(saved + 1)}), 0);
        QCOMPARE(onlyLine(run({"runs", "show", "victim", "--json"})).at("status"), json("finished"));
    }
};

QTEST_GUILESS_MAIN(TestProjectVerbs)
#include "tst_ProjectVerbs.moc"
