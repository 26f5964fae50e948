#pragma once

#include "core/config/ConfigFile.h"

#include <string>
#include <vector>

namespace trainyard {

/// Applies one `key.path=value`. A key is one of the schema's, or reaches into a list of datasets that is there
/// already: `data.train[0].path=…` sets one key of its first entry. What is wrong with it, and then nothing is changed.
std::vector<ConfigProblem> applyOverride(ParsedConfig& parsed, const std::string& text);

} // namespace trainyard
