#pragma once

#include "core/base/Error.h"
#include "core/project/Series.h"

#include <atomic>
#include <filesystem>
#include <optional>
#include <vector>

namespace trainyard {

/// Where the losses of some runs go apart, bit for bit. A value.
struct LossParting {
    std::int64_t shared = 0;               ///< iterations that all of them have
    std::int64_t last = 0;                 ///< the last such iteration that was looked at
    std::optional<std::int64_t> iteration; ///< the first one at which they are not all the same
    std::vector<double> losses;            ///< at that iteration, a run each
};

/// Compares the losses on the newest branch of each run, stretch by stretch, up to the first difference. Interrupted
/// when `isCancelled` says so. Any thread.
Result<LossParting> lossParting(const std::vector<std::filesystem::path>& runFolders,
                                const std::atomic<bool>& isCancelled);

} // namespace trainyard
