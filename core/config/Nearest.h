#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace trainyard {

/// Insertions, removals, replacements and swaps of neighbours that turn one word into the other.
/// Source: Damerau 1964, in its "optimal string alignment" form.
std::size_t editDistance(std::string_view a, std::string_view b);

/// The candidate most like `word`, the first of equals; empty when none is like it. "lr" is like "base_lr" too.
std::string nearestOf(std::string_view word, const std::vector<std::string>& candidates);

/// What stands after the last dot.
std::string_view leafOf(std::string_view key);

/// "a, b and c".
std::string enumerated(const std::vector<std::string>& words);

} // namespace trainyard
