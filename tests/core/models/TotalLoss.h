#pragma once

#include "core/models/Model.h"

namespace trainyard::testing {

/// The sum of a model's losses.
inline torch::Tensor total(const Model::Losses& losses) {
    torch::Tensor sum = losses.front().second;
    for (std::size_t i = 1; i < losses.size(); ++i)
        sum = sum + losses[i].second;
    return sum;
}

} // namespace trainyard::testing
