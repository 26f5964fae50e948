#pragma once

#include "core/models/detection/ObjectShape.h"
#include "core/nn/Boxes.h"

#include <ATen/core/Tensor.h>

#include <cstdint>
#include <vector>

namespace trainyard {

/// The part of `shape` in `box`, on a grid of `size` × `size` cells: uint8 [size, size], 1 inside.
/// Polygons are moved and scaled (the box is at least a pixel wide and high) and drawn as COCO draws them, parts
/// united; of a mask, the pixel under each cell's centre counts. Source: Detectron's mask targets.
at::Tensor maskInBox(const ObjectShape& shape, const Box& box, std::int64_t size);

struct MaskGrid {
    std::int64_t size = 28;
    std::int64_t pictureHeight = 0, pictureWidth = 0; ///< of the picture the shapes lie in; masks may be larger
};

/// What the mask head is to say of each region: float [K, size, size]. `regions` is float [K, 4] on the CPU in the
/// picture's pixels, region k shows shape `owners[k]` (int64). Detectron's are 0 or 1 as `maskInBox` has them,
/// torchvision's are the means of the drawn mask, as `roiAlign` takes them.
at::Tensor maskTargets(const std::vector<ObjectShape>& shapes, const at::Tensor& regions, const at::Tensor& owners,
                       const MaskGrid& grid, BoxConvention convention);

/// The shape whose tight box overlaps each region most, Detectron's choice of owner: int64 [K]; crowds (`isCrowd`, one
/// a shape) are none. Throws when there is no other shape and there are regions.
at::Tensor ownersByTightBox(const std::vector<ObjectShape>& shapes, const std::vector<bool>& isCrowd,
                            const at::Tensor& regions);

/// The mean cross entropy of the sigmoid over the targets that are not negative, each against the logits of its
/// region's class: a scalar, 0 where there is none. `logits` is float [K, C, M, M] (C of 1 serves every class),
/// `labels` int64 [K], `targets` float [K, M, M]. Source: He et al. 2017, "Mask R-CNN"; value as torchvision's.
at::Tensor maskLoss(const at::Tensor& logits, const at::Tensor& labels, const at::Tensor& targets);

} // namespace trainyard
