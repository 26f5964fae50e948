#pragma once

#include "app/cli/CommandLine.h"
#include "core/config/RunConfig.h"

namespace trainyard::cli {

/// A dataset as typed (PATH, FORMAT:PATH, PATH#PART), with the place that a path through a root of the project stands
/// for.
Result<DatasetConfig> datasetArgument(const Shared& shared, const std::string& argument);
Result<std::vector<DatasetConfig>> datasetArguments(const Shared& shared, const std::vector<std::string>& arguments);

} // namespace trainyard::cli
