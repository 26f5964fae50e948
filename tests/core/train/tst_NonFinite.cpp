#include "core/interop/TorchFile.h"
#include "tests/core/train/ToyTraining.h"
#include "tests/support/TestData.h"

#include <ATen/ATen.h>
#include <nlohmann/json.hpp>

#include <cmath>
#include <limits>

using namespace trainyard;
using namespace trainyard::testing;

namespace {

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

} // namespace

class tst_NonFinite : public QObject {
    Q_OBJECT
private Q_SLOTS:
    // Pixels of 1e25 are numbers, and so are the classes' scores; the squares of the features are not.
    void stopsAtAnInfiniteLoss() {
        ScratchFolder folder;
        ToyRun run(folder.path());
        run.batches.spoil = [](StepBatch& batch) {
            if (batch.step == 7)
                batch.parts[0].images.fill_(1e25F);
        };
        const RunOutcome outcome = run.run();
        QCOMPARE(outcome.status, RunStatus::Failed);
        QCOMPARE(outcome.iteration, std::int64_t(7)); // before its update
        QCOMPARE(exitCode(outcome.error->kind), 4);
        QVERIFY2(outcome.error->what.starts_with("The loss \"size\" became infinite at iteration 8"),
                 outcome.error->what.c_str());
        QCOMPARE(iterations(run.sink.checkpoints), (std::vector<std::int64_t>{4, 5})); // none after it
    }

    void stopsAtANonFiniteLoss() {
        ScratchFolder folder;
        ToyRun run(folder.path());
        run.batches.spoil = [](StepBatch& batch) {
            if (batch.step == 7)
                batch.parts[0].images[2][0][0][0] = kNan;
        };
        const RunOutcome outcome = run.run();
        QCOMPARE(outcome.status, RunStatus::Failed);
        QCOMPARE(outcome.iteration, std::int64_t(7));
        QCOMPARE(outcome.error->kind, ErrorKind::NonFinite);
        QVERIFY(outcome.error->what.starts_with("The loss \"classification\" became NaN at iteration 8; all weights "
                                                "are finite; in the batch: 7:0, 7:1, 7:2 and 5 more."));
        QCOMPARE(run.sink.events(EventKind::NonFinite).size(), std::size_t(1));
        QCOMPARE(iterations(run.sink.checkpoints), (std::vector<std::int64_t>{4, 5})); // none after it
        const auto json = nlohmann::json::parse(*readFile(folder / "non-finite-8.json"));
        QCOMPARE(json["iteration"].get<int>(), 8);
        QCOMPARE(json["losses"]["classification"].get<std::string>(), std::string("NaN"));
        QCOMPARE(json["samples"].size(), std::size_t(8));
        const auto batch = readTorchFile(folder / "non-finite-8.pth");
        VERIFY_RESULT(batch);
        const TorchValue& part = batch->find("parts")->list()->front();
        QVERIFY(part.find("images")->tensor()->isnan().sum().item<int>() == 1);
        QCOMPARE(part.find("targets")->find("labels")->tensor()->numel(), std::int64_t(8));
    }

    void hintsAtARateOutOfProportion() {
        ScratchFolder folder;
        ToyRun run(folder.path());
        run.parts.config.solve.baseLr = 1e30; // the weights overflow within a few updates
        const RunOutcome outcome = run.run();
        QCOMPARE(outcome.status, RunStatus::Failed);
        QCOMPARE(outcome.error->kind, ErrorKind::NonFinite);
        QVERIFY2(outcome.error->remedy.starts_with("The learning rate"), outcome.error->remedy.c_str());
    }

    void skipsNonFiniteBatchesWhereToldTo() {
        ScratchFolder folder;
        ToyRun run(folder.path(), {.hasBatchNorm = true});
        run.parts.config.train.onNonFinite = "skip";
        run.batches.spoil = [](StepBatch& batch) {
            if (batch.step == 7 || batch.step == 8)
                batch.parts[0].images.fill_(kNan);
        };
        QCOMPARE(run.run().status, RunStatus::Finished);
        QCOMPARE(run.sink.events(EventKind::NonFinite).size(), std::size_t(2));
        QVERIFY(std::isnan(run.sink.steps[7].loss) && std::isfinite(run.sink.steps[9].loss));
        const auto state = readCheckpoint(run.checkpoint(12));
        VERIFY_RESULT(state);
        QCOMPARE(state->text.at("skipped"), std::string("2"));
        for (const auto& [name, tensor] : state->model) // the running statistics are not poisoned either
            QVERIFY2(at::isfinite(tensor).all().item<bool>(), name.c_str());
    }
};

QTEST_GUILESS_MAIN(tst_NonFinite)
#include "tst_NonFinite.moc"
