#pragma once

#include "core/base/Error.h"

#include <regex>
#include <string>

namespace trainyard {

/// A regular expression that somebody wrote, in ECMAScript's syntax, of at most 500 characters. The one place where
/// they are compiled: what the configuration's check accepts, the run can use. A Usage error at `key` otherwise.
Result<std::regex> compileExpression(const std::string& text, const std::string& key);

} // namespace trainyard
