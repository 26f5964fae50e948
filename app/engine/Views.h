#pragma once

#include "core/config/RunConfig.h"
#include "core/data/Transforms.h"
#include "core/models/detection/ViewCombination.h"

#include <memory>
#include <vector>

namespace trainyard {

/// A view with the way an image takes into it.
struct PlannedView {
    View view;
    std::shared_ptr<const TransformChain> transforms;
};

/// The ways in which the network sees each image: those that `evaluate.augment` asks for, each once, and the plain one
/// last. Without augmentation, and for words, the plain one alone.
std::vector<PlannedView> planViews(const RunConfig& config);

} // namespace trainyard
