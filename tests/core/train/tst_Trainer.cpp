#include "core/base/AtomicFile.h"
#include "tests/core/train/ToyTraining.h"
#include "tests/support/TestData.h"

#include <ATen/ATen.h>

#include <cmath>

using namespace trainyard;
using namespace trainyard::testing;

class tst_Trainer : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void trainsEvaluatesAndSaves() {
        ScratchFolder folder;
        ToyRun run(folder.path());
        run.evaluator.scores = {{4, 0.5}, {8, 0.4}, {12, 0.3}};
        const RunOutcome outcome = run.run();
        QVERIFY2(!outcome.error, outcome.error ? outcome.error->sentence().c_str() : "");
        QCOMPARE(outcome.status, RunStatus::Finished);
        QCOMPARE(outcome.iteration, std::int64_t(12));
        QCOMPARE(run.sink.steps.size(), std::size_t(12));
        for (std::size_t i = 0; i < 12; ++i) {
            const StepReport& step = run.sink.steps[i];
            QCOMPARE(step.iteration, std::int64_t(i + 1));
            QCOMPARE(step.epoch, std::int64_t(i / 5));
            QCOMPARE(step.samples, std::int64_t(8));
            QCOMPARE(step.losses.size(), std::size_t(2));
            QCOMPARE(step.losses[0].first, std::string("classification"));
            QCOMPARE(step.loss, step.losses[0].second + step.losses[1].second);
            // cosine from 0.1 to 0 over 12 updates, the first at 0
            QVERIFY(std::abs(step.learningRate - 0.05 * (1 + std::cos(M_PI * double(i) / 12))) < 1e-12);
            QVERIFY(step.gradientNorm > 0 && step.memoryBytes > 0 && step.seconds.total > 0);
            QVERIFY(step.seconds.total >= step.seconds.forward + step.seconds.backward);
        }
        QVERIFY(run.sink.steps.back().loss < run.sink.steps.front().loss);
        QCOMPARE(run.evaluator.iterations, (std::vector<std::int64_t>{4, 8, 12}));
        QCOMPARE(iterations(run.sink.checkpoints), (std::vector<std::int64_t>{4, 5, 10, 12})); // 4 is the best
        QCOMPARE(run.sink.statistics.size(), std::size_t(3)); // the first iteration, then every sixth
        QCOMPARE(run.sink.statistics[0].iteration, std::int64_t(1));
        QCOMPARE(run.sink.statistics[1].iteration, std::int64_t(6));
        QCOMPARE(run.sink.statistics[2].iteration, std::int64_t(12));
        QCOMPARE(run.sink.statistics[0].parameters.size(), std::size_t(4));
        QVERIFY(run.sink.statistics[0].parameters[0].updateToWeight > 0);
        QVERIFY(run.catalog.list.front().isBest && run.catalog.list.front().metric == 0.5);
        QVERIFY(run.catalog.list.back().isFinal);
        QCOMPARE(run.sink.all.front().kind, EventKind::Started);
        QCOMPARE(run.sink.all.back().kind, EventKind::Finished);
    }

    void learns() {
        ScratchFolder folder;
        ToyRun run(folder.path());
        run.parts.config.solve.iterations = 400;
        run.parts.config.solve.baseLr = 0.5;
        run.parts.config.train.evaluateEvery = 400;
        run.parts.config.train.checkpointEvery = 0;
        QCOMPARE(run.run().status, RunStatus::Finished);
        double first = 0, last = 0;
        for (std::size_t i = 0; i < 20; ++i) {
            first += run.sink.steps[i].loss;
            last += run.sink.steps[380 + i].loss;
        }
        QVERIFY2(last < 0.8 * first, qPrintable(QString("%1 %2").arg(first).arg(last)));
    }

    void isNotDisturbedByEvaluationAndCheckpoints() {
        const ToyShape shape{.dropout = 0.3}; // draws from the generator that the evaluator disturbs
        ScratchFolder folder;
        ToyRun run(folder.path(), shape);
        run.parts.config.train.evaluateEvery = 1;
        run.parts.config.train.checkpointEvery = 1;
        (void)run.run();
        ScratchFolder other;
        ToyRun plain(other.path(), shape);
        plain.parts.evaluator = nullptr;
        plain.parts.config.train.checkpointEvery = 0;
        (void)plain.run();
        QCOMPARE(run.sink.losses(), plain.sink.losses());
    }

    /// D8: but for the first iteration every one is saved, and the last is the final one.
    void savesNothingAtTheFirstIteration() {
        ScratchFolder folder;
        ToyRun run(folder.path());
        run.parts.evaluator = nullptr;
        run.parts.config.solve.iterations = 4;
        run.parts.config.train.checkpointEvery = 1;
        QCOMPARE(run.run().status, RunStatus::Finished);
        QCOMPARE(iterations(run.sink.checkpoints), (std::vector<std::int64_t>{2, 3, 4}));
        QVERIFY(run.catalog.list.back().isFinal);
    }

    void trainsFurtherThanPlanned() {
        ScratchFolder folder;
        ToyRun run(folder.path());
        run.parts.config.solve.policy = "constant";
        (void)run.run();
        ToyRun further(folder.path());
        further.parts.config = run.parts.config;
        further.parts.config.solve.iterations = 15;
        further.parts.resumeFrom = run.checkpoint(12);
        QCOMPARE(further.run().status, RunStatus::Finished);
        QCOMPARE(further.sink.steps.size(), std::size_t(3));
        ToyRun again(folder.path()); // nothing left to do
        again.parts.config = further.parts.config;
        again.parts.resumeFrom = run.checkpoint(15);
        QCOMPARE(again.run().status, RunStatus::Finished);
        QVERIFY(again.sink.steps.empty() && again.sink.checkpoints.empty());
    }

    void accumulatesBatchesIntoOneUpdate() {
        ScratchFolder one, two;
        ToyRun whole(one.path()), halves(two.path());
        // the halves of each batch, one after the other, as two batches of the source
        ToyBatches source;
        std::int64_t calls = 0;
        halves.batches.spoil = [&](StepBatch& batch) {
            source.seek(calls / 2);
            StepBatch full = std::move(*source.next());
            const std::int64_t first = calls++ % 2 * 4;
            const auto rows = at::arange(first, first + 4);
            Batch& part = full.parts[0];
            part.images = part.images.index_select(0, rows);
            part.targets["labels"] = part.targets["labels"].index_select(0, rows);
            part.samples.resize(4);
            batch.parts = std::move(full.parts);
        };
        halves.parts.config.solve.accumulate = 2;
        (void)whole.run();
        QCOMPARE(halves.run().status, RunStatus::Finished);
        QCOMPARE(halves.sink.steps[0].samples, std::int64_t(8));
        for (std::size_t i = 0; i < 12; ++i)
            QVERIFY(std::abs(whole.sink.steps[i].loss - halves.sink.steps[i].loss) < 1e-5 * whole.sink.steps[i].loss);
    }

    void keepsTheStateWhereTheDataFails() {
        ScratchFolder folder;
        ToyRun run(folder.path());
        run.batches.failsAt = 6;
        const RunOutcome outcome = run.run();
        QCOMPARE(outcome.status, RunStatus::Failed);
        QCOMPARE(outcome.error->kind, ErrorKind::Data);
        QVERIFY(std::filesystem::exists(run.checkpoint(6)));
    }

    void failsWhereTheEvaluationDoes() {
        ScratchFolder folder;
        ToyRun run(folder.path());
        run.evaluator.error = Error{ErrorKind::Data, "The validation data is gone.", "val", ""};
        const RunOutcome outcome = run.run();
        QCOMPARE(outcome.status, RunStatus::Failed);
        QCOMPARE(outcome.iteration, std::int64_t(4));
        QCOMPARE(outcome.error->what, std::string("The validation data is gone."));
    }

    void endsCleanlyWhereTheModelThrows() {
        ScratchFolder folder;
        ToyRun run(folder.path());
        run.batches.spoil = [](StepBatch& batch) {
            if (batch.step == 2)
                batch.parts[0].images = at::zeros({8, 2, 8, 8}); // two channels where the model takes one
        };
        const RunOutcome outcome = run.run();
        QCOMPARE(outcome.status, RunStatus::Failed);
        QCOMPARE(outcome.iteration, std::int64_t(2));
        QCOMPARE(outcome.error->kind, ErrorKind::Unexpected);
        QVERIFY(outcome.error->what.find('\n') == std::string::npos);
    }

    void refusesADamagedCheckpoint() {
        ScratchFolder folder;
        VERIFY_RESULT(writeFile(folder / "bad.pth", "no checkpoint"));
        ToyRun run(folder.path());
        run.parts.resumeFrom = folder / "bad.pth";
        const RunOutcome outcome = run.run();
        QCOMPARE(outcome.error->kind, ErrorKind::Damaged);
        QCOMPARE(outcome.error->where, (folder / "bad.pth").string());
    }

    void refusesACheckpointOfAnotherModel() {
        ScratchFolder folder;
        ToyRun run(folder.path());
        (void)run.run();
        ToyRun other(folder.path(), {.classes = 5});
        other.parts.resumeFrom = run.checkpoint(12);
        const RunOutcome outcome = other.run();
        QCOMPARE(outcome.error->kind, ErrorKind::Damaged);
        QCOMPARE(outcome.error->what, std::string("head.weight is [3, 4] in the checkpoint and [5, 4] in the model."));
    }

    void fineTunesWithAnotherNumberOfClasses() {
        ScratchFolder folder, second;
        ToyRun run(folder.path());
        (void)run.run();
        ToyRun tune(second.path(), {.classes = 5});
        tune.parts.config.solve.iterations = 1;
        tune.parts.config.solve.baseLr = 1e-30; // so that the weights are seen as loaded
        tune.parts.weights = run.checkpoint(12);
        QCOMPARE(tune.run().status, RunStatus::Finished);
        const auto before = readCheckpoint(run.checkpoint(12)), after = readCheckpoint(tune.checkpoint(1));
        QVERIFY(before->model[0].second.equal(after->model[0].second)); // conv.weight
        QCOMPARE(after->model[2].second.size(0), std::int64_t(5));      // head.weight
        const auto warnings = tune.sink.events(EventKind::Warning);
        QCOMPARE(warnings.size(), std::size_t(1));
        QCOMPARE(warnings[0].text,
                 std::string("These start anew, because they depend on the classes: head.weight, head.bias."));
    }

    void refusesWeightsThatDoNotFit() {
        ScratchFolder folder;
        ToyRun run(folder.path(), {.hasBatchNorm = true});
        run.parts.weights = testData("interop/state_dict.pth");
        const RunOutcome outcome = run.run();
        QCOMPARE(outcome.error->kind, ErrorKind::Usage);
        QVERIFY2(outcome.error->what.find("None of the file's 7 tensors has a place in the model") != std::string::npos,
                 outcome.error->what.c_str());
    }

    void refusesADeviceThatIsNotHere() {
        ScratchFolder folder;
        ToyRun run(folder.path());
        run.parts.config.train.devices = {"cuda:99"};
        const RunOutcome outcome = run.run();
        QCOMPARE(outcome.error->kind, ErrorKind::Usage);
        QCOMPARE(outcome.error->what, std::string("The device \"cuda:99\" is not here."));
    }

    void trainsInBfloat16() {
        ScratchFolder folder;
        ToyRun run(folder.path());
        run.parts.config.train.precision = "bf16";
        QCOMPARE(run.run().status, RunStatus::Finished);
        const auto exact = undisturbedLosses();
        QVERIFY(run.sink.losses() != exact);
        for (std::size_t i = 0; i < exact.size(); ++i)
            QVERIFY(std::abs(run.sink.losses()[i] - exact[i]) < 0.05 * exact[i]);
    }

    /// Half of an update is done when the data ends: the checkpoint is that of the updates before it, to the last bit.
    void forgetsTheStartedUpdateWhereTheDataFails() {
        const ToyShape shape{.hasBatchNorm = true, .dropout = 0.3};
        ScratchFolder one, two;
        ToyRun whole(one.path(), shape), broken(two.path(), shape);
        for (ToyRun* run : {&whole, &broken}) {
            run->parts.config.solve.accumulate = 2;
            run->parts.config.train.checkpointEvery = 0;
            run->parts.config.train.evaluateEvery = 0;
        }
        whole.sink.afterStep = [&](std::int64_t iteration) {
            if (iteration == 3)
                whole.mailbox.put({Command::Kind::Stop});
        };
        broken.batches.failsAt = 7; // the second half of update 4
        QCOMPARE(whole.run().status, RunStatus::Stopped);
        QCOMPARE(broken.run().error->kind, ErrorKind::Data);
        const auto expected = readCheckpoint(whole.checkpoint(3)), got = readCheckpoint(broken.checkpoint(3));
        VERIFY_RESULT(expected);
        VERIFY_RESULT(got);
        for (std::size_t i = 0; i < expected->model.size(); ++i)
            QVERIFY2(expected->model[i].second.equal(got->model[i].second), expected->model[i].first.c_str());
        QVERIFY(expected->random[0].second.equal(got->random[0].second));
    }
};

QTEST_GUILESS_MAIN(tst_Trainer)
#include "tst_Trainer.moc"
