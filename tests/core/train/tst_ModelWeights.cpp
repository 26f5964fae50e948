#include "core/train/CheckpointFile.h"
#include "core/train/ModelWeights.h"
#include "tests/core/train/ToyTraining.h"
#include "tests/support/TestData.h"

#include <torch/nn/module.h>

#include <algorithm>

using namespace trainyard;
using namespace trainyard::testing;

namespace {

at::Tensor counted(const std::vector<std::int64_t>& shape) {
    std::int64_t count = 1;
    for (const auto size : shape)
        count *= size;
    return at::arange(count, at::kFloat).reshape(shape);
}

/// One update of no size, so that the weights are seen as loaded.
void standStill(ToyRun& run, const std::filesystem::path& weights) {
    run.parts.config.solve.iterations = 1;
    run.parts.config.solve.baseLr = 1e-30;
    run.parts.weights = weights;
}

at::Tensor named(const NamedTensors& tensors, const std::string& name) {
    for (const auto& [known, tensor] : tensors)
        if (known == name)
            return tensor;
    return {};
}

} // namespace

/// Weights of others in a training: rows D13 to D17 of Detectron, A53 of ASTER.
class TestModelWeights : public QObject {
    Q_OBJECT
private Q_SLOTS:
    /// D14, A53: what is missing is said, and keeps what the initialiser gave it; the rest is the file's.
    void keepsInitialValuesOfWhatIsMissing() {
        ScratchFolder folder;
        ToyRun run(folder.path());
        standStill(run, testData("interop/toy.pkl"));
        QCOMPARE(run.run().status, RunStatus::Finished);
        const auto state = readCheckpoint(run.checkpoint(1));
        VERIFY_RESULT(state);
        QVERIFY(at::allclose(named(state->model, "conv.weight"), counted({4, 1, 3, 3}) / 8, 0, 1e-20)); // rate 1e-30
        QVERIFY(at::allclose(named(state->model, "head.weight"), counted({3, 4}), 0, 1e-20));
        const auto fresh = makeToyModel({});
        QVERIFY(named(state->model, "head.bias").equal(fresh->named_parameters()["head.bias"]));
        const auto notes = run.sink.events(EventKind::Note), warnings = run.sink.events(EventKind::Warning);
        QVERIFY(std::any_of(notes.begin(), notes.end(),
                            [](const RunEvent& event) { return event.text.starts_with("3 tensors loaded from "); }));
        QVERIFY(std::any_of(warnings.begin(), warnings.end(), [](const RunEvent& event) {
            return event.text == "Not found in the weights, so these keep their initial values: head.bias.";
        }));
    }

    /// D16: a blob without a place is in every checkpoint, after a resume and in a fine-tune from such a checkpoint
    /// too.
    void carriesUnknownBlobsThroughSaves() {
        ScratchFolder folder, second;
        ToyRun run(folder.path());
        standStill(run, testData("interop/toy.pkl"));
        QCOMPARE(run.run().status, RunStatus::Finished);
        const auto first = readCheckpoint(run.checkpoint(1));
        QCOMPARE(first->preserved.size(), std::size_t(1));
        QVERIFY(named(first->preserved, "pred_w").equal(counted({5})));

        ToyRun again(folder.path());
        again.parts.config.solve.iterations = 2;
        again.parts.resumeFrom = run.checkpoint(1);
        QCOMPARE(again.run().status, RunStatus::Finished);
        QVERIFY(named(readCheckpoint(again.checkpoint(2))->preserved, "pred_w").equal(counted({5})));

        ToyRun tune(second.path());
        standStill(tune, run.checkpoint(1));
        QCOMPARE(tune.run().status, RunStatus::Finished);
        QVERIFY(named(readCheckpoint(tune.checkpoint(1))->preserved, "pred_w").equal(counted({5})));
    }

    /// D17: a bare map trains; a configuration without MODEL.BBOX_REG_WEIGHTS refuses to, and still predicts.
    void refusesToTrainFromAnOldConfiguration() {
        ScratchFolder folder, second;
        ToyRun bare(folder.path());
        standStill(bare, testData("interop/toy_bare.pkl"));
        QCOMPARE(bare.run().status, RunStatus::Finished);
        ToyRun old(second.path());
        standStill(old, testData("interop/toy_old.pkl"));
        const RunOutcome outcome = old.run();
        QCOMPARE(outcome.error->kind, ErrorKind::Usage);
        QVERIFY2(outcome.error->what.find("MODEL.BBOX_REG_WEIGHTS") != std::string::npos, outcome.error->what.c_str());
        const auto model = makeToyModel({});
        const auto loaded = loadWeights(*model, RunConfig(), testData("interop/toy_old.pkl"), false);
        VERIFY_RESULT(loaded);
        QVERIFY(loaded->report.lacksBoxWeights);
        QVERIFY(model->named_parameters()["conv.bias"].equal(counted({4})));
    }

    /// D13: another number of classes starts anew and is listed; any other shape names both and changes nothing.
    void checksShapes() {
        const auto wide = makeToyModel({.classes = 5});
        const auto loaded = loadWeights(*wide, RunConfig(), testData("interop/toy.pkl"));
        VERIFY_RESULT(loaded);
        QCOMPARE(loaded->report.startedAnew, std::vector<std::string>{"head.weight"});
        QVERIFY(wide->named_parameters()["conv.bias"].equal(counted({4})));

        const auto narrow = makeToyModel({});
        narrow->named_parameters()["conv.bias"].set_data(torch::ones({7}));
        const at::Tensor before = narrow->named_parameters()["conv.weight"].clone();
        const auto refused = loadWeights(*narrow, RunConfig(), testData("interop/toy.pkl"));
        QVERIFY(!refused);
        QCOMPARE(refused.error().what,
                 std::string("The weights do not fit the model: conv.bias is [4] in the file and [7] "
                             "in the model."));
        QCOMPARE(refused.error().where, testData("interop/toy.pkl").string());
        QVERIFY(narrow->named_parameters()["conv.weight"].equal(before));
    }
};

QTEST_GUILESS_MAIN(TestModelWeights)
#include "tst_ModelWeights.moc"
