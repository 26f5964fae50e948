#pragma once

#include "core/base/Error.h"
#include "core/train/CheckpointFile.h"

#include <cstdint>
#include <optional>
#include <string>

namespace trainyard {

/// Where a run stands beside its tensors: what a checkpoint keeps as text and a resume goes on from.
struct RunProgress {
    std::int64_t iteration = 0; ///< finished updates
    double rateFactor = 1.0;    ///< by which people changed the learning rate
    double elapsedSeconds = 0;  ///< of training, all sessions
    std::int64_t skipped = 0;   ///< updates left out because a loss was not finite
    std::optional<double> bestMetric;
    std::int64_t bestIteration = 0;

    /// Into and out of `state.text` (and `state.iteration`). Numbers read back to the same value.
    void store(TrainingState& state) const;
    static Result<RunProgress> restore(const TrainingState& state);
};

} // namespace trainyard
