#pragma once

#include "app/cli/CommandLine.h"

namespace trainyard::cli {

/// Adds `convert` to the verb `data`.
void addConvert(CLI::App& data, CommandLine& line);

} // namespace trainyard::cli
