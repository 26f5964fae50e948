#pragma once

#include "app/cli/CommandLine.h"
#include "app/engine/TrainingSession.h"

namespace trainyard::cli {

/// Trains a new run or goes on with one, telling standard output and standard error, obeying Ctrl+C. The exit code.
Result<int> runTraining(const Shared& shared, TrainingRequest request);

} // namespace trainyard::cli
