#include "core/fetch/Digest.h"
#include "tests/app/cli/Program.h"
#include "tests/app/cli/TinyWorld.h"
#include "tests/support/HttpsServer.h"
#include "tests/support/TestData.h"

#include <algorithm>
#include <memory>

using namespace trainyard;
using namespace trainyard::testing;
using nlohmann::json;

namespace {

/// The texts of the warnings of a training.
std::vector<std::string> warningsOf(const Ended& ended) {
    std::vector<std::string> texts;
    for (const json& line : ended.lines())
        if (line.at("event") == "warning")
            texts.push_back(line.dump());
    return texts;
}

bool anyHas(const std::vector<std::string>& texts, const std::string& part) {
    return std::any_of(texts.begin(), texts.end(),
                       [&](const std::string& text) { return text.find(part) != std::string::npos; });
}

} // namespace

/// Files of weights on the command line; trained once.
class TestWeights : public QObject {
    Q_OBJECT
    std::unique_ptr<ScratchFolder> m_folder;
    std::filesystem::path m_checkpoint;

    Ended run(const std::vector<std::string>& arguments,
              const std::vector<std::pair<std::string, std::string>>& environment = {}) {
        return runProgram(arguments, m_folder->path(), environment);
    }

private Q_SLOTS:
    void initTestCase() {
        m_folder = std::make_unique<ScratchFolder>();
        makeCoco(*m_folder / "coco");
        const auto config = makeRetinaNetConfig(m_folder->path(), *m_folder / "coco");
        VERIFY_CODE(run({"train", config.string(), "--name", "boxes"}), 0);
        const auto saved = run({"checkpoints", "list", "boxes", "--json"}).lines().back().at("path").get<std::string>();
        m_checkpoint = *m_folder / "runs/1-boxes" / saved;
    }

    void inspectsACheckpoint() {
        const json found = onlyLine(run({"weights", "inspect", m_checkpoint.string(), "--json"}));
        QCOMPARE(found.at("format"), json("PyTorch"));
        const auto& tensors = found.at("tensors");
        const auto stem = std::find_if(tensors.begin(), tensors.end(),
                                       [](const json& one) { return one.at("name") == "backbone.body.conv1.weight"; });
        QVERIFY(stem != tensors.end());
        QCOMPARE(stem->at("shape"), json({64, 3, 7, 7}));
        QCOMPARE(stem->at("type"), json("float32"));
        QCOMPARE(stem->at("bytes"), json(64 * 3 * 7 * 7 * 4));
        const Ended table = run({"weights", "inspect", m_checkpoint.string()});
        VERIFY_CODE(table, 0);
        QVERIFY(table.out.find("backbone.body.conv1.weight") != std::string::npos);
    }

    void comparesWithAModel() {
        const json found = onlyLine(run({"weights", "inspect", m_checkpoint.string(), "--model", "retinanet.yaml",
                                         "--set", "model.retinanet.classes=3", "--json"}));
        const json& report = found.at("report");
        QCOMPARE(report.at("missing"), json::array());
        QCOMPARE(report.at("unexpected"), json::array());
        QCOMPARE(report.at("started_anew").size(), std::size_t(2)); // scores of two classes, weight and bias
        QVERIFY(report.at("matched").size() > 50);
        const Ended other = run({"weights", "inspect", m_checkpoint.string(), "--model", "retinanet.yaml", "--set",
                                 "model.retinanet.classes=2", "--set", "model.retinanet.fpn_channels=32"});
        VERIFY_CODE(other, 2);
        QVERIFY2(other.err.find(" in the file and ") != std::string::npos, other.err.c_str());
    }

    void convertsThereAndBack() {
        VERIFY_CODE(run({"weights", "convert", m_checkpoint.string(), "a.safetensors"}), 0);
        VERIFY_CODE(run({"weights", "convert", "a.safetensors", "b.pth"}), 0);
        const json first = onlyLine(run({"weights", "inspect", m_checkpoint.string(), "--json"}));
        json again = onlyLine(run({"weights", "inspect", "b.pth", "--json"}));
        QCOMPARE(again.at("tensors"), first.at("tensors"));
        VERIFY_CODE(run({"weights", "convert", "a.safetensors", "b.pth"}), 2); // nothing is written over unasked
        VERIFY_CODE(run({"weights", "convert", "a.safetensors", "b.pth", "--overwrite"}), 0);
        VERIFY_CODE(run({"weights", "convert", "a.safetensors", "b.pkl"}), 2);
        QVERIFY(!std::filesystem::exists(*m_folder / "b.pkl"));
    }

    void looksIntoDetectronsFiles() {
        const auto file = testData("interop/detectron.pkl").string();
        const json found = onlyLine(run({"weights", "inspect", file, "--json"}));
        QCOMPARE(found.at("format"), json("Detectron"));
        QCOMPARE(found.at("tensors").size(), std::size_t(3));
        QCOMPARE(found.at("optimiser_tensors"), json(1));
        QCOMPARE(found.at("has_configuration"), json(true));
        VERIFY_CODE(run({"weights", "convert", file, "blobs.safetensors"}), 0);
        const Ended hostile = run({"weights", "inspect", testData("interop/hostile.pkl").string()});
        VERIFY_CODE(hostile, 5);
        QVERIFY2(hostile.err.find("posix system") != std::string::npos, hostile.err.c_str());
    }

    /// From weights of two classes onto one class.
    void fineTunesOntoAnotherNumberOfClasses() {
        const Ended ended = run({"train", "retinanet.yaml", "--weights", "boxes@8", "--name", "tuned", "--json",
                                 "data.classes={disc: thing, bar: thing}", "solve.iterations=2"});
        VERIFY_CODE(ended, 0);
        QVERIFY2(anyHas(warningsOf(ended), "These start anew, because they depend on the classes: "
                                           "head.classification_head.cls_logits.weight, "
                                           "head.classification_head.cls_logits.bias."),
                 ended.out.c_str());
        const Ended refused = run(
            {"train", "retinanet.yaml", "--weights", "boxes@8", "--name", "other", "model.retinanet.fpn_channels=32"});
        VERIFY_CODE(refused, 2);
        QVERIFY2(refused.err.find(" in the file and ") != std::string::npos, refused.err.c_str());
        VERIFY_CODE(run({"train", "retinanet.yaml", "--weights", "boxes@8", "model.weights=a.pth"}), 2);
    }

    void predictsWithWeightsOfOthers() {
        VERIFY_CODE(run({"weights", "convert", m_checkpoint.string(), "mine.safetensors", "--overwrite"}), 0);
        const Ended ended =
            run({"predict", "coco/images/picture0.png", "--model", "retinanet.yaml", "--weights", "mine.safetensors",
                 "--class", "disc", "--class", "bar", "--set", "model.retinanet.score_threshold=0.0"});
        VERIFY_CODE(ended, 0);
        QVERIFY(!onlyLine(ended).at("detections").empty());
        const Ended fewer = run({"predict", "coco/images/picture0.png", "--model", "retinanet.yaml", "--weights",
                                 "mine.safetensors", "--class", "disc"});
        VERIFY_CODE(fewer, 2); // its scores would be untrained
        VERIFY_CODE(run({"predict", "coco/images/picture0.png", "--weights", "mine.safetensors"}), 2);
    }

    /// D74: from the net, with a checksum, into the cache; nothing of a wrong or broken file stays.
    void startsFromWeightsOnTheNet() {
        HttpsServer server;
        const std::string bytes = readText(m_checkpoint);
        server.put("/tiny.pth", {200, QByteArray::fromStdString(bytes), -1, ""});
        server.put("/cut.pth", {200, QByteArray::fromStdString(bytes), 1000, ""});
        const auto digest = digestOf(m_checkpoint, Checksum::Kind::Sha256);
        VERIFY_RESULT(digest);
        const std::vector<std::pair<std::string, std::string>> environment = {
            {"SSL_CERT_FILE", server.certificate()}, {"TRAINYARD_CACHE", (*m_folder / "cache").string()}};
        const auto train = [&](const std::string& url, const std::string& name) {
            return run({"train", "retinanet.yaml", "--weights", url, "--name", name, "solve.iterations=1", "--json"},
                       environment);
        };
        for (const auto& [url, code] : {std::pair(server.url("/tiny.pth") + "#sha256=00000000", 5),
                                        {server.url("/cut.pth") + "#sha256=" + *digest, 5},
                                        {server.url("/tiny.pth"), 2}}) { // nothing to check it against
            VERIFY_CODE(train(url, "refused"), code);
            if (std::filesystem::exists(*m_folder / "cache"))
                for (const auto& entry : std::filesystem::recursive_directory_iterator(*m_folder / "cache"))
                    QVERIFY2(!entry.is_regular_file(), entry.path().c_str());
        }
        const std::string good = server.url("/tiny.pth") + "#sha256=" + *digest;
        VERIFY_CODE(train(good, "fetched"), 0);
        const auto asked = server.asked().size();
        VERIFY_CODE(train(good, "cached"), 0);
        QCOMPARE(server.asked().size(), asked);
        VERIFY_CODE(train("http://localhost/tiny.pth", "plain"), 2);
        QVERIFY(onlyLine(run({"runs", "show", "fetched", "--json"})).dump().find("fetched") != std::string::npos);
    }

    void importsConfigurations() {
        writeText(*m_folder / "theirs.yaml",
                  "MODEL:\n  TYPE: retinanet\n  CONV_BODY: FPN.add_fpn_ResNet50_conv5_body\n  NUM_CLASSES: 81\n"
                  "FPN: {FPN_ON: True, RPN_MAX_LEVEL: 7, RPN_MIN_LEVEL: 3, EXTRA_CONV_LEVELS: True}\n"
                  "VIS: True\n");
        const Ended ended = run({"config", "import", "theirs.yaml", "SOLVER.BASE_LR", "0.5", "--output", "ours.yaml"});
        VERIFY_CODE(ended, 0);
        QVERIFY2(ended.err.find("theirs.yaml:6:1: VIS: True has no counterpart.") != std::string::npos,
                 ended.err.c_str());
        VERIFY_CODE(run({"config", "validate", "ours.yaml"}), 0);
        QVERIFY(run({"config", "show", "ours.yaml"}).out.find("base_lr: 0.5") != std::string::npos);
        QVERIFY(readText(*m_folder / "ours.yaml").find("# VIS: True has no counterpart.") != std::string::npos);
        VERIFY_CODE(run({"config", "import", "theirs.yaml", "--output", "ours.yaml"}), 2); // it is there already
        const json said = onlyLine(run({"config", "import", "theirs.yaml", "--json"}));
        QCOMPARE(said.at("source"), json("Detectron"));
        QVERIFY(anyHas({said.at("notes").dump()}, "\"no_counterpart\""));
        const Ended odd = run({"config", "import", "theirs.yaml", "SOLVER.BASE_LR"});
        VERIFY_CODE(odd, 2);
        QVERIFY2(odd.err.find("has no value") != std::string::npos, odd.err.c_str());
        // A2: ASTER's folder of an experiment
        writeText(*m_folder / "demo/config/trainval.prototxt", "train_config { num_step: 3 }");
        const Ended aster = run({"config", "import", "demo"});
        VERIFY_CODE(aster, 2);
        QVERIFY2(aster.err.find("trainval.prototxt:1:16: TrainConfig has no field num_step; did you mean num_steps?") !=
                     std::string::npos,
                 aster.err.c_str());
    }
};

QTEST_GUILESS_MAIN(TestWeights)
#include "tst_Weights.moc"
