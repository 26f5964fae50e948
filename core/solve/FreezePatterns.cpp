#include "core/solve/FreezePatterns.h"

#include "core/base/Expression.h"

#include <algorithm>

namespace trainyard {

Result<FreezePatterns> FreezePatterns::compile(const std::vector<std::string>& patterns, const std::string& key) {
    FreezePatterns compiled;
    for (const std::string& text : patterns) {
        auto expression = compileExpression(text, key);
        if (!expression)
            return expression.error();
        compiled.m_patterns.push_back(std::move(*expression));
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
