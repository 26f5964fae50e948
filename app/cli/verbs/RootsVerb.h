#pragma once

#include "app/cli/CommandLine.h"

namespace trainyard::cli {

/// Adds `roots` to the verb `project`.
void addRoots(CLI::App& project, CommandLine& line);

} // namespace trainyard::cli
