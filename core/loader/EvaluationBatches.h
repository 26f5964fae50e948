#pragma once

#include "core/config/RunConfig.h"
#include "core/loader/SampleReader.h"
#include "core/models/Batch.h"

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>

namespace trainyard {

/// What one pass over the validation data is made from.
struct EvaluationBatchesParts {
    RunConfig config;
    TaskKind task = TaskKind::Detection;
    DatasetList datasets;
    std::shared_ptr<const TransformChain> transforms;             ///< makeTransforms(config, task, false)
    LoaderWarning warn;                                           ///< may be empty
    std::chrono::milliseconds patience = std::chrono::seconds(1); ///< as the batch queue's
};

/// One pass over the validation data, dataset by dataset in order, each sample once, in batches of
/// `evaluate.batch_size` (or the training batch) made ahead by loader threads. With `evaluate.max_samples` that many,
/// spread evenly over the data; of an endless set `data.rendered.validation_count`. Damaged images are left out and
/// told, or end the pass, as `data.on_damaged` says. Make a new one for every pass; one thread takes.
class EvaluationBatches {
public:
    explicit EvaluationBatches(EvaluationBatchesParts parts);
    ~EvaluationBatches();

    std::int64_t sampleCount() const; ///< damaged ones included
    /// Nothing after the last one. A batch may be smaller than the others, or empty where all its images are damaged.
    /// Interrupted when `isCancelled` (may be empty), asked every now and then while it waits, says so.
    Result<std::optional<Batch>> next(const std::function<bool()>& isCancelled = {});

private:
    struct State;
    std::unique_ptr<State> m_state;
};

} // namespace trainyard
