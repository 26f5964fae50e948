#pragma once

#include "core/base/Error.h"

#include <regex>
#include <string>
#include <vector>

namespace trainyard {

/// The regular expressions of `solve.freeze` (a parameter stays as it is when one of them is found in its name) or of
/// another key that picks parameters. ECMAScript syntax. Immutable; any thread.
class FreezePatterns {
public:
    /// A Usage error that names the first pattern that is not a regular expression.
    static Result<FreezePatterns> compile(const std::vector<std::string>& patterns,
                                          const std::string& key = "solve.freeze");

    bool matches(const std::string& parameterName) const;

    /// Patterns that are found in none of the names: most likely misspelt.
    std::vector<std::string> unused(const std::vector<std::string>& parameterNames) const;

private:
    std::vector<std::string> m_texts;
    std::vector<std::regex> m_patterns;
};

} // namespace trainyard
