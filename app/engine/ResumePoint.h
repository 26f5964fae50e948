#pragma once

#include "core/base/Error.h"
#include "core/project/Project.h"

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace trainyard {

/// Where a run goes on from.
struct ResumePoint {
    std::int64_t iteration = 0;                ///< 0: the run starts anew, for it has no checkpoint yet
    std::optional<std::filesystem::path> file; ///< the checkpoint
    std::vector<std::string> warnings;         ///< a sentence for each newer checkpoint that could not be used
};

/// The newest checkpoint of the run that reads back well, or `wanted` alone. Damaged when `wanted` cannot be read, or
/// none of them can.
Result<ResumePoint> findResumePoint(const Project& project, const RunRecord& run, std::optional<std::int64_t> wanted);

} // namespace trainyard
