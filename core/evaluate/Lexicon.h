#pragma once

#include "core/base/Error.h"

#include <string>
#include <string_view>
#include <vector>

namespace trainyard {

/// The word of `lexicon` with the least edit distance from `text`, without case, the first on ties; `text` itself where
/// there are no words. All code points count, punctuation too.
std::string nearestWord(std::string_view text, const std::vector<std::string>& lexicon);

/// The words of a file, one a line; blank lines are none. A Data error where it cannot be read, is no UTF-8 or has
/// none.
Result<std::vector<std::string>> readLexicon(const std::string& file);

} // namespace trainyard
