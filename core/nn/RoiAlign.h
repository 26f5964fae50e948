#pragma once

#include <ATen/core/Tensor.h>

#include <cstdint>

namespace trainyard {

struct RoiAlignShape {
    std::int64_t height = 7, width = 7; ///< bins of a region
    double scale = 1;                   ///< of the map against the network's input: 1/16 for stride 16
    std::int64_t samples = 0;           ///< of a bin along each axis; 0: one for each cell that a bin spans
    bool isAligned = false;             ///< places shifted by half a cell, and regions may be less than a cell wide
};

/// The mean of bilinear samples in each bin of each region: [R, C, height, width] of the features' type, channels-last.
/// `features` is [N, C, H, W] in any layout (channels-last costs no copy); float, double or bfloat16, which is computed
/// with in float. `rois` is [R, 5]: image, x1, y1, x2, y2 in pixels of the network's input; R may be 0.
/// The gradient goes to the features alone, as torchvision's. On the CPU it does not depend on the number of threads;
/// on a GPU the sums are in no fixed order, unless LibTorch is to be deterministic: then it is made on the CPU.
/// Throws on other shapes, and on the CPU when a region names no image. Values as torchvision's.
at::Tensor roiAlign(const at::Tensor& features, const at::Tensor& rois, const RoiAlignShape& shape);

} // namespace trainyard
