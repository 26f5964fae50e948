#pragma once

#include "core/base/Error.h"

#include <filesystem>

namespace trainyard::cli {

// Asked before work begins, so that hours of it do not end at a folder that cannot be written to. Usage errors where
// something else stands there already; Damaged errors where permissions or the disk are in the way.

/// Makes the folder, with its parents, and tries whether files can be written in it.
Result<void> prepareFolder(const std::filesystem::path& folder);

/// Makes the file's folder and tries whether it could be written; an old file stays as it is.
Result<void> prepareFile(const std::filesystem::path& file);

} // namespace trainyard::cli
