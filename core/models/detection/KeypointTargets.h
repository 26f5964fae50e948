#pragma once

#include <ATen/core/Tensor.h>

#include <cstdint>

namespace trainyard {

/// Where each keypoint of each region lies on a heat map of `size` × `size` cells.
struct KeypointTargets {
    at::Tensor cells;     ///< int64 [K, P]: row × size + column; 0 where there is nothing to learn
    at::Tensor isCounted; ///< bool [K, P]: visible, and inside the region
};

/// `keypoints` is float [K, P, 3] (x, y, visibility above 0) and `regions` float [K, 4], row by row of one another, in
/// one picture's pixels. A keypoint on the right or lower border belongs to the last column or row.
/// Source: He et al. 2017, "Mask R-CNN"; the same in Detectron and torchvision.
KeypointTargets keypointTargets(const at::Tensor& keypoints, const at::Tensor& regions, std::int64_t size);

/// Whether each region holds a visible keypoint of its own, border included: bool [K]. Only such regions are trained
/// on.
at::Tensor holdsVisibleKeypoint(const at::Tensor& keypoints, const at::Tensor& regions);

/// The sum of the softmax cross entropies over the cells of all maps that count, by `normaliser`, or by their number
/// where that is 0: a scalar, 0 where none counts. `logits` is float [K, P, size, size].
at::Tensor keypointLoss(const at::Tensor& logits, const KeypointTargets& targets, double normaliser = 0);

} // namespace trainyard
