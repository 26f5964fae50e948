#pragma once

#include "core/config/EvaluateConfig.h"
#include "core/evaluate/Metrics.h"

#include <optional>
#include <string>
#include <vector>

namespace trainyard {

/// What became of one metric of `evaluate.expected`.
struct ExpectedResult {
    std::string metric;
    std::string expected;         ///< as it was written
    std::optional<double> actual; ///< nothing where it was not measured
    double allowed = 0;           ///< difference
    bool isMet = false;
};

/// Holds metrics against `evaluate.expected`. A number passes when the difference is at most `expected_atol` +
/// `expected_rtol` × its size, a number with a deviation when it is at most `expected_sigmas` deviations. (The
/// Detectron trainer passes a number when the difference is *more*, which its users cannot have meant.) A metric that
/// was not measured does not pass.
std::vector<ExpectedResult> heldAgainst(const EvaluateConfig& config, const Metrics& metrics);

/// One sentence that names every metric that is not as expected; nothing when all are.
std::optional<std::string> unmetSentence(const std::vector<ExpectedResult>& results);

} // namespace trainyard
