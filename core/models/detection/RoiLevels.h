#pragma once

#include "core/nn/Boxes.h"
#include "core/nn/RoiAlign.h"

#include <ATen/core/Tensor.h>

#include <cstdint>
#include <functional>
#include <vector>

namespace trainyard {

/// Which level of a pyramid sees a region of which size.
struct RoiLevelRules {
    BoxConvention convention = BoxConvention::Torchvision;
    std::int64_t finest = 2, coarsest = 5; ///< levels; level l has stride 2^l
    double canonicalSize = 224;            ///< regions of this size …
    std::int64_t canonicalLevel = 4;       ///< … are seen by this level
};

/// The level of each box [R, 4], counted from the finest: int64 [R]. A box twice the size is seen one level higher.
/// Source: Lin et al. 2017, "Feature Pyramid Networks", equation 1.
at::Tensor levelsOf(const at::Tensor& boxes, const RoiLevelRules& rules);

/// Reads the regions `rois` [R, 5] of one level; `scale` is the level's against the network's input.
using LevelReader = std::function<at::Tensor(const at::Tensor& level, const at::Tensor& rois, double scale)>;

/// What `read` makes of each region on its own level, in the order of `rois` [R, 5]. `features` are the levels from the
/// finest on; more of them than the rules have are left alone.
at::Tensor readOnLevels(const std::vector<at::Tensor>& features, const at::Tensor& rois, const RoiLevelRules& rules,
                        const LevelReader& read);

/// `roiAlign` of each region on its own level. The scale in `shape` is not read: it is the level's.
at::Tensor alignOnLevels(const std::vector<at::Tensor>& features, const at::Tensor& rois, const RoiAlignShape& shape,
                         const RoiLevelRules& rules);

} // namespace trainyard
