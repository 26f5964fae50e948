#pragma once

#include "app/cli/CommandLine.h"

#include <string>
#include <vector>

namespace trainyard::cli {

// What `trainyard runs` shows without changing anything.

Result<int> listRuns(const Shared& shared);
Result<int> showRun(const Shared& shared, const std::string& reference);
/// Results and differing settings, a column a run.
Result<int> compareRuns(const Shared& shared, const std::vector<std::string>& references);

} // namespace trainyard::cli
