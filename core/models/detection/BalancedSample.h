#pragma once

#include "core/base/Random.h"

#include <cstdint>
#include <span>
#include <vector>

namespace trainyard {

/// Rows drawn for a loss, each list rising.
struct BalancedSample {
    std::vector<std::int64_t> positives, negatives;
};

/// Draws at most `mostPositives` of the rows whose label is above 0, and of those whose label is 0 as many as are left
/// to `total`; without replacement, so that there may be fewer. Other labels are never drawn. The same `random` draws
/// the same rows.
BalancedSample drawBalanced(std::span<const std::int64_t> labels, std::int64_t total, std::int64_t mostPositives,
                            Random& random);

} // namespace trainyard
