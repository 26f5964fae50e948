#pragma once

#include "core/config/RunConfig.h"

#include <string>
#include <vector>

namespace trainyard {

/// Every text of a configuration that names a file or folder, the empty ones too: where a path is made absolute or goes
/// through a data root, it is by this list. Weights may be an address on the net instead. They live as long as
/// `config`.
std::vector<std::string*> pathsOf(RunConfig& config);

} // namespace trainyard
