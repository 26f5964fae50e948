#pragma once

#include "app/cli/CommandLine.h"

namespace trainyard::cli {

/// `config import`: a Detectron or ASTER configuration becomes one of ours.
void addImport(CLI::App& config, CommandLine& line);

} // namespace trainyard::cli
