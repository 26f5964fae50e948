#pragma once

#include <algorithm>
#include <string>
#include <vector>

namespace trainyard {

/// One direction's reading of a word, in the order in which people read it, and the logarithm of its probability.
struct DirectedReading {
    std::string text;
    double score = 0;
};

/// The likelier reading; of equally likely ones the first. There must be one at least.
inline const DirectedReading& likeliest(const std::vector<DirectedReading>& readings) {
    return *std::max_element(readings.begin(), readings.end(),
                             [](const auto& a, const auto& b) { return a.score < b.score; });
}

} // namespace trainyard
