#pragma once

#include "core/base/Error.h"
#include "core/config/RunConfig.h"
#include "core/train/BatchSource.h"

#include <cstdint>
#include <filesystem>
#include <string>
#include <utility>
#include <vector>

namespace trainyard {

/// A loss or gradient that is NaN or infinite, with what is known about how it came about.
struct NonFiniteFinding {
    std::int64_t iteration = 0; ///< of the update that was under way; the first is 1
    std::vector<std::pair<std::string, double>> losses;
    std::vector<std::string> badLosses;
    std::vector<std::string> badWeights;   ///< parameters that hold such values already, in the model's order
    std::vector<std::string> badGradients; ///< in the model's order; empty when the loss was bad already
    std::vector<StepBatch> batches;
    double learningRate = 0;

    /// "The loss \"box\" became NaN at iteration 42; …; in the batch: a.jpg, b.jpg and 6 more."
    std::string sentence() const;
    /// What to do, with a hint where rate and batch look out of proportion.
    std::string remedy(const RunConfig& config) const;
    Error error(const RunConfig& config, const std::filesystem::path& runFolder) const;

    /// Writes `non-finite-ITERATION.json` and the batch as `non-finite-ITERATION.pth` into the run's folder.
    Result<void> save(const RunConfig& config, const std::filesystem::path& runFolder) const;
};

} // namespace trainyard
