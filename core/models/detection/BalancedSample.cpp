#include "core/models/detection/BalancedSample.h"

#include <algorithm>
#include <utility>

namespace trainyard {
namespace {

/// Keeps `count` of the rows, in rising order.
void keepSome(std::vector<std::int64_t>& rows, std::int64_t count, Random& random) {
    const auto size = std::int64_t(rows.size());
    if (count >= size)
        return;
    for (std::int64_t i = 0; i < count; ++i)
        std::swap(rows[std::size_t(i)], rows[std::size_t(random.integer(i, size - 1))]);
    rows.resize(std::size_t(count));
    std::sort(rows.begin(), rows.end());
}

} // namespace

BalancedSample drawBalanced(std::span<const std::int64_t> labels, std::int64_t total, std::int64_t mostPositives,
                            Random& random) {
    BalancedSample sample;
    for (std::size_t i = 0; i < labels.size(); ++i) {
        if (labels[i] > 0)
            sample.positives.push_back(std::int64_t(i));
        else if (labels[i] == 0)
            sample.negatives.push_back(std::int64_t(i));
    }
    keepSome(sample.positives, std::min(mostPositives, total), random);
    keepSome(sample.negatives, total - std::int64_t(sample.positives.size()), random);
    return sample;
}

} // namespace trainyard
