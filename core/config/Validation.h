#pragma once

#include "core/config/RunConfig.h"

#include <string>
#include <vector>

namespace trainyard {

/// Two or more fields that do not go together, or one whose rule is more than a range.
struct CrossProblem {
    std::vector<std::string> keys; ///< the first is the one to point at
    std::string message;
};

/// Checks that go across fields; each field by itself is taken to be within its rule.
std::vector<CrossProblem> crossProblems(const RunConfig& config);

} // namespace trainyard
