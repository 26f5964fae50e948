#include "core/solve/FreezePatterns.h"

#include <algorithm>

namespace trainyard {

Result<FreezePatterns> FreezePatterns::compile(const std::vector<std::string>& patterns) {
    FreezePatterns compiled;
    for (const std::string& text : patterns) {
        try {
            compiled.m_patterns.emplace_back(text, std::regex::ECMAScript | std::regex::optimize);
        } catch (const std::regex_error&) { // its text names an implementation detail; the pattern says more
            return Error{ErrorKind::Usage, "\"" + text + "\" is not a regular expression.", "solve.freeze",
                         "Mend it, or put a backslash before characters that mean themselves."};
        }
        compiled.m_texts.push_back(text);
    }
    return compiled;
}

bool FreezePatterns::matches(const std::string& parameterName) const {
    return std::any_of(m_patterns.begin(), m_patterns.end(),
                       [&](const std::regex& pattern) { return std::regex_search(parameterName, pattern); });
}

std::vector<std::string> FreezePatterns::unused(const std::vector<std::string>& parameterNames) const {
    std::vector<std::string> texts;
    for (std::size_t i = 0; i < m_patterns.size(); ++i) {
        const bool isFound = std::any_of(parameterNames.begin(), parameterNames.end(), [&](const std::string& name) {
            return std::regex_search(name, m_patterns[i]);
        });
        if (!isFound)
            texts.push_back(m_texts[i]);
    }
    return texts;
}

} // namespace trainyard
