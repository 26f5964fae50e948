#pragma once

#include "core/base/Error.h"
#include "core/models/Batch.h"

#include <cstdint>
#include <functional>
#include <vector>

namespace trainyard {

/// The batch of one step, split evenly: one part a replica, all padded to one size. An update takes `solve.accumulate`
/// steps: update k, counted from 0, is steps k * accumulate to (k + 1) * accumulate - 1.
struct StepBatch {
    std::vector<Batch> parts;
    std::int64_t step = 0;  ///< counted from 0
    std::int64_t epoch = 0; ///< of the first training set, counted from 0
    double waitSeconds = 0; ///< how long next() waited
    int queueFill = 0;
    int queueCapacity = 0;
};

/// Where the trainer gets its batches. The batch of a step is a function of (seed, step) alone: seeking is free.
class BatchSource {
public:
    virtual ~BatchSource() = default;
    /// The next batch to come is that of `step`.
    virtual void seek(std::int64_t step) = 0;
    /// Waits for it. A Data error when the data cannot be used; Interrupted after stop(), or when `isCancelled` (may be
    /// empty), asked every now and then while it waits, says so: a disk may never answer.
    virtual Result<StepBatch> next(const std::function<bool()>& isCancelled = {}) = 0;
    /// Ends the loader's threads; next() fails from now on. Any thread.
    virtual void stop() = 0;
};

} // namespace trainyard
