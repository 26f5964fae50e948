#pragma once

#include "core/config/RunConfig.h"
#include "core/loader/SampleReader.h"
#include "core/train/BatchSource.h"

#include <chrono>
#include <functional>
#include <memory>

namespace trainyard {

/// What a queue of training batches is made from.
struct BatchQueueParts {
    RunConfig config;
    TaskKind task = TaskKind::Detection;
    DatasetList datasets;                             ///< one for each entry of config.data.train, in its order
    std::shared_ptr<const TransformChain> transforms; ///< makeTransforms(config, task, true)
    int replicas = 1;
    LoaderWarning warn; ///< may be empty
    /// How long the end of the queue waits for a thread that is reading. One that hangs is left behind, with the
    /// datasets it holds; it says nothing any more.
    std::chrono::milliseconds patience = std::chrono::seconds(1);
};

/// Training batches made ahead by loader threads (`data.workers`, `data.prefetch`). The batch of a step is the same for
/// any number of threads. A damaged image is replaced by the next one in the epoch's order and told once, or ends the
/// run with its Data error, as `data.on_damaged` says; one with fewer visible keypoints than `data.min_keypoints` is
/// replaced in silence, as is a batch with fewer than `data.min_batch_keypoints` in all. Threads start with the first
/// seek() or next().
class BatchQueue final : public BatchSource {
public:
    /// A Usage error when the batch cannot be shared; a Data error for a dataset without samples.
    static Result<std::unique_ptr<BatchQueue>> create(BatchQueueParts parts);
    ~BatchQueue() override;

    std::int64_t batchSize() const;
    /// Updates that show every sample of the first set once; 0 where it is endless.
    double stepsPerEpoch() const;

    void seek(std::int64_t step) override;
    Result<StepBatch> next(const std::function<bool()>& isCancelled = {}) override;
    void stop() override;

private:
    struct State;
    explicit BatchQueue(std::unique_ptr<State> state);
    std::unique_ptr<State> m_state;
};

} // namespace trainyard
