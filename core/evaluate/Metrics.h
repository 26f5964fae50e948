#pragma once

#include <string>
#include <utility>
#include <vector>

namespace trainyard {

/// Metrics by the names of the design page, in the order in which people read them. All of them are at least 0; below
/// 0 there was nothing to measure (no object of that size, say).
using Metrics = std::vector<std::pair<std::string, double>>;

/// Whether there was something to measure. What was not is shown as "n/a", and is null in JSON.
inline bool isMeasured(double metric) {
    return !(metric < 0);
}

} // namespace trainyard
