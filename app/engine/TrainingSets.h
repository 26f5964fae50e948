#pragma once

#include "core/config/RunConfig.h"
#include "core/data/Dataset.h"

#include <memory>
#include <vector>

namespace trainyard {

/// What the loader shows of a run's training data: cut into tiles, rare classes repeated, with flipped copies, and put
/// together, each as `data` says; endless sets stay as they are. One for each of `data.train`, or the one that
/// `data.combine: concatenate` makes of them.
std::vector<std::shared_ptr<const Dataset>> trainingSets(std::vector<std::shared_ptr<const Dataset>> datasets,
                                                         const RunConfig& config);

} // namespace trainyard
