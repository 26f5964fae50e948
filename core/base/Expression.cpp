#include "core/base/Expression.h"

namespace trainyard {

Result<std::regex> compileExpression(const std::string& text, const std::string& key) {
    constexpr std::size_t kLongest = 500; // std::regex compiles by recursion
    if (text.size() > kLongest)
        return Error{ErrorKind::Usage, "An expression has more than 500 characters.", key, "Shorten it."};
    try {
        return std::regex(text, std::regex::ECMAScript | std::regex::optimize);
    } catch (const std::regex_error&) { // its text names an implementation detail; the expression says more
        return Error{ErrorKind::Usage, "\"" + text + "\" is not a regular expression.", key,
                     "Mend it, or put a backslash before characters that mean themselves."};
    }
}

} // namespace trainyard
