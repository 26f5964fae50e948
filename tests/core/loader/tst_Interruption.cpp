#include "core/loader/BatchQueue.h"
#include "core/train/Trainer.h"
#include "tests/core/loader/NumberedDataset.h"
#include "tests/core/train/ToyTraining.h"
#include "tests/support/TestData.h"

#include <torch/nn/module.h>

#include <thread>

using namespace trainyard;
using namespace trainyard::testing;

namespace {

BatchQueueParts hangingParts(std::shared_ptr<HangingDataset> dataset) {
    BatchQueueParts parts;
    parts.config.data.batchSize = 4;
    parts.config.data.workers = 1;
    parts.config.data.train.resize(1);
    parts.datasets = {std::move(dataset)};
    parts.transforms = std::make_shared<TransformChain>();
    return parts;
}

/// Learns the brightness of its batches.
class BrightnessModel final : public Model {
public:
    BrightnessModel() { m_guess = register_parameter("guess", torch::zeros({1})); }
    Losses losses(const Batch& batch) override {
        return {{"brightness", (batch.images.mean() - m_guess).square().sum()}};
    }
    std::vector<Prediction> predict(const Batch& batch) override {
        return std::vector<Prediction>(std::size_t(batch.size()));
    }
    std::vector<std::string> classDependent() const override { return {}; }

private:
    torch::Tensor m_guess;
};

} // namespace

/// A disk or a network folder that does not answer must not hold what a person wants to stop.
class tst_Interruption : public QObject {
    Q_OBJECT
private Q_SLOTS:
    /// Two batches are read, the third hangs: Stop saves what was learnt of the two, while the read still hangs.
    void aStopReachesATrainerThatWaitsForARead() {
        ScratchFolder folder;
        auto dataset = std::make_shared<HangingDataset>("a", 64, 8);
        auto queue = BatchQueue::create(hangingParts(dataset));
        VERIFY_RESULT(queue);
        ToyRun run(folder.path());
        run.parts.makeModel = [] { return Result<std::shared_ptr<Model>>(std::make_shared<BrightnessModel>()); };
        run.parts.batches = queue->get();
        run.parts.evaluator = nullptr;
        std::promise<void> second;
        run.sink.afterStep = [&](std::int64_t iteration) {
            if (iteration == 2)
                second.set_value();
        };
        RunOutcome outcome;
        std::promise<void> ended;
        std::thread trainer([&] {
            outcome = run.run();
            ended.set_value();
        });
        auto reached = second.get_future();
        const auto over = ended.get_future();
        while (reached.wait_for(std::chrono::milliseconds(1)) != std::future_status::ready)
            if (over.wait_for(std::chrono::milliseconds(0)) == std::future_status::ready) {
                trainer.join();
                QFAIL(("The run ended before its second update: " + outcome.error.value_or(Error()).sentence()).c_str());
            }
        dataset->awaitHanging();
        run.mailbox.put({Command::Kind::Stop});
        trainer.join();
        QCOMPARE(outcome.status, RunStatus::Stopped);
        QCOMPARE(outcome.iteration, std::int64_t(2));
        QVERIFY(std::filesystem::exists(run.checkpoint(2)));
        dataset->release();
    }

    void aBatchThatWasNotWaitedForIsNotLost() {
        auto dataset = std::make_shared<HangingDataset>("a", 64, 4);
        auto parts = hangingParts(dataset);
        auto queue = BatchQueue::create(parts);
        QCOMPARE((*queue)->next()->step, std::int64_t(0));
        dataset->awaitHanging();
        const auto batch = (*queue)->next([] { return true; });
        QVERIFY(!batch);
        QCOMPARE(batch.error().kind, ErrorKind::Interrupted);
        dataset->release();
        QCOMPARE((*queue)->next().error().what, std::string("64 samples in a row are damaged.")); // its own answer
    }

    /// The queue ends although a read hangs; what the read finds much later reaches nobody.
    void leavesAHangingReadBehind() {
        auto dataset = std::make_shared<HangingDataset>("a", 64, 0);
        auto* hanging = dataset.get();
        auto gone = hanging->gone();
        const auto releaser = hanging->releaser();
        auto parts = hangingParts(std::move(dataset));
        std::atomic<int> warnings = 0;
        parts.warn = [&](const std::string&) { ++warnings; };
        parts.patience = std::chrono::milliseconds(0);
        auto queue = BatchQueue::create(std::move(parts));
        (*queue)->seek(0);
        hanging->awaitHanging();
        queue->reset();
        releaser->set_value();
        gone.wait(); // its thread let go of the dataset
        QCOMPARE(warnings.load(), 0);
    }
};

QTEST_GUILESS_MAIN(tst_Interruption)
#include "tst_Interruption.moc"
