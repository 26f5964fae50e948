#include "app/engine/DataPaths.h"
#include "app/engine/RunRequest.h"
#include "core/config/ConfigFile.h"
#include "tests/core/project/ProjectFixture.h"

using namespace trainyard;
using testing::aRun;
using testing::makeProject;
using testing::must;

namespace {

namespace fs = std::filesystem;

const DataRoots kRoots({{"cells", "/data/cells"}, {"own", "/data/own"}});

RunConfig configWith(const std::string& path) {
    RunConfig config;
    config.data.train = {{"auto", path + "/train", "", path + "/train.json", 2, path + "/regions.json"}};
    config.data.validation = {{"auto", path + "/test", "", "", 0}};
    config.data.rendered.words = path + "/words.txt";
    config.data.rendered.backgrounds = path + "/pictures";
    config.model.weights = path + "/start.pth";
    config.evaluate.lexicon = path + "/lexicon.txt";
    return config;
}

} // namespace

class tst_DataPaths : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void everyPathGoesThroughTheRoots() {
        const auto placed = withPlaces(configWith("${cells}"), kRoots);
        VERIFY_RESULT(placed);
        QVERIFY(*placed == configWith("/data/cells"));
        QVERIFY(withRootNames(*placed, kRoots) == configWith("${cells}"));
        QVERIFY(withKnownPlaces(configWith("${cells}"), kRoots) == configWith("/data/cells"));
        QVERIFY(withKnownPlaces(configWith("${gone}"), kRoots) == configWith("${gone}"));
        QCOMPARE(withPlaces(configWith("here"), kRoots)->data.train[0].path,
                 (fs::current_path() / "here/train").string());
        RunConfig none = configWith("");
        none.model.weights = none.data.rendered.words = none.data.rendered.backgrounds = none.evaluate.lexicon = "";
        QCOMPARE(withPlaces(none, kRoots)->model.weights, std::string());
        QCOMPARE(withPlaces(none, kRoots)->evaluate.lexicon, std::string());
    }

    void anUnknownRootNamesTheRunAndTheCommand() {
        const auto refused = withPlaces(configWith("${gone}"), kRoots, "run 3 \"words\"");
        QVERIFY(!refused);
        QCOMPARE(exitCode(refused.error().kind), 2);
        const std::string sentence = refused.error().sentence();
        for (const char* part :
             {"run 3 \"words\": ", "${gone}/", "\"gone\"", "trainyard project roots set gone FOLDER"})
            QVERIFY2(sentence.find(part) != std::string::npos, sentence.c_str());
    }

    void dataThatMovedIsToldWithItsRoot() {
        RunConfig config;
        config.data.train = {{"auto", "/data/cells/train", "", "", 0}};
        const auto moved = checkDatasets(config, kRoots);
        QVERIFY(!moved);
        QCOMPARE(exitCode(moved.error().kind), 3);
        QVERIFY(moved.error().remedy.find("trainyard project roots set cells FOLDER") != std::string::npos);
        QVERIFY(checkDatasets(config).error().remedy.find("roots") == std::string::npos);
    }

    void aMovedPlaceIsNoChangeOfTheConfiguration() {
        const auto same = changedConfig(configWith("${cells}"), {}, kRoots, "");
        VERIFY_RESULT(same);
        QVERIFY(*same == configWith("/data/cells"));
        const auto refused = changedConfig(configWith("${cells}"), {"model.weights=/data/cells/other.pth"}, kRoots, "");
        QVERIFY(!refused);
        QCOMPARE(refused.error().where, std::string("model.weights"));
        VERIFY_RESULT(changedConfig(configWith("${cells}"), {"model.weights=/data/cells/start.pth"}, kRoots, ""));
    }

    /// Runs that were trained before the folder had a name follow it too; one that is being trained is left alone.
    void aRootAdoptsTheRunsWhoseDataLiesInIt() {
        testing::ScratchFolder folder;
        const auto project = makeProject(folder.path());
        for (const char* path : {"/data/cells", "/elsewhere", "/data/cells"}) {
            NewRun run = aRun();
            run.config = toYaml(configWith(path));
            VERIFY_RESULT(project->createRun(run));
        }
        const auto lock = must(RunLock::acquire(folder.path() / project->run(3)->folder));
        VERIFY_RESULT(project->setDataRoot("cells", "/data/cells"));
        QCOMPARE(*adoptRoot(*project, "cells"), (std::vector<std::int64_t>{1}));
        QVERIFY(parseConfig(project->provenance(1)->config, "").config == configWith("${cells}"));
        QVERIFY(parseConfig(project->provenance(2)->config, "").config == configWith("/elsewhere"));
        QVERIFY(parseConfig(project->provenance(3)->config, "").config == configWith("/data/cells"));
        QCOMPARE(runsInRoot(*project, "cells")->size(), std::size_t(1));
        VERIFY_RESULT(project->setDataRoot("cells", "/moved"));
        QVERIFY(*withPlaces(parseConfig(project->provenance(1)->config, "").config, *dataRootsIn(folder.path())) ==
                configWith("/moved"));
    }

    void noProjectHasNoRoots() {
        testing::ScratchFolder folder;
        const auto roots = dataRootsIn(folder / "nothing");
        VERIFY_RESULT(roots);
        QVERIFY(roots->all().empty());
    }
};

QTEST_GUILESS_MAIN(tst_DataPaths)
#include "tst_DataPaths.moc"
