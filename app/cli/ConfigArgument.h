#pragma once

#include "core/base/Error.h"
#include "core/config/RunConfig.h"

#include <string>
#include <vector>

namespace trainyard::cli {

/// The configuration that a command line names, a file or a preset, with the overrides beside it; the defaults where it
/// names none. Every problem of it is in the error.
Result<RunConfig> configArgument(const std::string& nameOrPath, const std::vector<std::string>& overrides);

} // namespace trainyard::cli
