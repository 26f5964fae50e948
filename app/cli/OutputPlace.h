#pragma once

#include "core/base/Error.h"
#include "core/config/RunConfig.h"

#include <filesystem>
#include <string>
#include <vector>

namespace trainyard::cli {

// Asked before work begins, so that hours of it do not end at a folder that cannot be written to. Usage errors where
// something else stands there already; Damaged errors where permissions or the disk are in the way.

/// Makes the folder, with its parents, and tries whether files can be written in it.
Result<void> prepareFolder(const std::filesystem::path& folder);

/// Makes the file's folder and tries whether it could be written; an old file stays as it is.
Result<void> prepareFile(const std::filesystem::path& file);

/// That `file` may be written: it neither is nor lies in one of the `datasets`, which are only read, and where it
/// exists already it begins like what is to be written there (one of `beginnings`), so that a slip of the hand costs
/// nobody his annotations.
Result<void> keepFromOthers(const std::filesystem::path& file, const std::vector<DatasetConfig>& datasets,
                            const std::vector<std::string>& beginnings);

} // namespace trainyard::cli
