#include "core/base/AtomicFile.h"
#include "core/config/ConfigFile.h"
#include "tests/support/TestData.h"

#include <filesystem>

using namespace trainyard;

class tst_Presets : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void cleanup() { qunsetenv("TRAINYARD_RESOURCES"); }

    void everyPresetIsGoodAndSaysWhatItIs() {
        std::vector<std::string> names;
        for (const auto& preset : presets()) {
            names.push_back(preset.name);
            QVERIFY2(!preset.summary.empty() && preset.summary.back() == '.', preset.name.c_str());
            const auto parsed = loadConfig(preset.name);
            VERIFY_RESULT(parsed);
            QVERIFY2(parsed->isGood(), parsed->error().sentence().c_str());
        }
        for (const char* name : {"aster", "aster-demo", "crnn", "crnn-demo", "crnn-lines", "retinanet-r18-fpn"})
            QVERIFY2(std::find(names.begin(), names.end(), name) != names.end(), name);
    }

    void presetsAreWhatTheirNamesSay() {
        const auto crnn = loadConfig("crnn"), detector = loadConfig("retinanet-r18-fpn");
        VERIFY_RESULT(crnn);
        VERIFY_RESULT(detector);
        QVERIFY(taskOf(crnn->config.model) == TaskKind::Recognition);
        QCOMPARE(crnn->config.model.crnn.width, std::int64_t(100));
        QVERIFY(taskOf(detector->config.model) == TaskKind::Detection);
        QCOMPARE(detector->config.model.retinanet.depth, std::int64_t(18));
    }

    void aFileWinsOverAPreset() {
        testing::ScratchFolder folder;
        VERIFY_RESULT(writeFile(folder / "crnn", "seed: 77\n"));
        const auto before = std::filesystem::current_path();
        std::filesystem::current_path(folder.path());
        const auto parsed = loadConfig("crnn");
        std::filesystem::current_path(before);
        VERIFY_RESULT(parsed);
        QCOMPARE(parsed->config.seed, std::uint64_t(77));
    }

    void aFolderOfThatNameDoesNotHideAPreset() {
        testing::ScratchFolder folder;
        std::filesystem::create_directory(folder / "crnn");
        const auto before = std::filesystem::current_path();
        std::filesystem::current_path(folder.path());
        const auto parsed = loadConfig("crnn");
        const auto other = loadConfig(".");
        std::filesystem::current_path(before);
        VERIFY_RESULT(parsed);
        QVERIFY(!other);
        QVERIFY(other.error().sentence().find("This is a folder") != std::string::npos);
    }

    void anUnknownNameListsThePresets() {
        const auto parsed = loadConfig("retinanet-r18-fnp");
        QVERIFY(!parsed);
        QCOMPARE(exitCode(parsed.error().kind), 2);
        const auto said = parsed.error().sentence();
        QVERIFY2(said.find("The nearest preset is retinanet-r18-fpn.") != std::string::npos &&
                     said.find("crnn-demo") != std::string::npos,
                 said.c_str());
    }

    void resourcesAreWhereTheEnvironmentSays() {
        testing::ScratchFolder folder;
        std::filesystem::create_directory(folder / "presets");
        VERIFY_RESULT(writeFile(folder / "presets/mine.yaml", "# My own.\nseed: 5\n"));
        qputenv("TRAINYARD_RESOURCES", QByteArray::fromStdString(folder.path().string()));
        QCOMPARE(presets().size(), std::size_t(1));
        QCOMPARE(presets()[0].summary, std::string("My own."));
        const auto parsed = loadConfig("mine");
        VERIFY_RESULT(parsed);
        QCOMPARE(parsed->config.seed, std::uint64_t(5));
        qputenv("TRAINYARD_RESOURCES", "/nowhere/at/all");
        QVERIFY(presets().empty());
        QVERIFY(!loadConfig("mine"));
    }

    void whatIsNoFileIsRefused() {
        for (const auto& [name, sentence] : std::vector<std::pair<std::string, std::string>>{
                 {"/dev/zero", "/dev/zero: This is a device, not a file."}, // which would never end
                 {"/", "/: This is a folder, not a configuration. Name the YAML file in it."}}) {
            const auto parsed = loadConfig(name);
            QVERIFY(!parsed);
            QCOMPARE(parsed.error().sentence(), sentence);
            QCOMPARE(exitCode(parsed.error().kind), 2);
        }
    }
};

QTEST_GUILESS_MAIN(tst_Presets)
#include "tst_Presets.moc"
