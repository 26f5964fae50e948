#include "core/evaluate/ExpectedResults.h"

#include "core/config/Expectation.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace trainyard {

std::vector<ExpectedResult> heldAgainst(const EvaluateConfig& config, const Metrics& metrics) {
    std::vector<ExpectedResult> results;
    for (const auto& [name, text] : config.expected) {
        ExpectedResult result{name, text, {}, 0, false};
        const auto expected = readExpectation(text);
        const auto found =
            std::find_if(metrics.begin(), metrics.end(), [&](const auto& metric) { return metric.first == name; });
        if (found != metrics.end() && isMeasured(found->second))
            result.actual = found->second;
        if (expected)
            result.allowed = expected->deviation
                                 ? config.expectedSigmas * *expected->deviation
                                 : config.expectedAtol + config.expectedRtol * std::abs(expected->value);
        result.isMet = expected && result.actual && std::abs(*result.actual - expected->value) <= result.allowed;
        results.push_back(std::move(result));
    }
    return results;
}

std::optional<std::string> unmetSentence(const std::vector<ExpectedResult>& results) {
    std::string clauses;
    for (const ExpectedResult& result : results)
        if (!result.isMet)
            clauses +=
                fmt::format("{}{} is {}, not {}", clauses.empty() ? "" : "; ", result.metric,
                            result.actual ? fmt::format("{:.4f}", *result.actual) : "not measured", result.expected);
    return clauses.empty() ? std::nullopt : std::optional("The result is not as expected: " + clauses + ".");
}

} // namespace trainyard
