#pragma once

#include <ATen/core/Tensor.h>

#include <cstdint>

namespace trainyard {

struct RoiPoolShape {
    std::int64_t height = 7, width = 7; ///< bins of a region
    double scale = 1;                   ///< of the map against the network's input
};

/// The largest value in each bin of each region, 0 where a bin holds no cell: [R, C, height, width], channels-last.
/// Arguments, gradient and failures as those of `roiAlign`. Corners are rounded to cells; of equal values the first in
/// reading order takes the gradient. Source: Girshick 2015, "Fast R-CNN"; values as torchvision's.
at::Tensor roiPool(const at::Tensor& features, const at::Tensor& rois, const RoiPoolShape& shape);

struct PositionSensitiveShape {
    std::int64_t bins = 3; ///< k of the k × k bins of a region
    double scale = 1;
    /// Corners are rounded before they are scaled, and the map's border counts, as in R-FCN and Detectron. Otherwise
    /// they are rounded after, and the last row and column are left out, as in torchvision (whose gradient, other than
    /// ours, forgets that they are).
    bool isDetectron = true;
};

/// The mean of channel (c·k + row)·k + column over bin (row, column), 0 where that is empty: [R, C / k², k, k].
/// Arguments, gradient and failures as those of `roiAlign`; C must be a multiple of k².
/// Source: Dai et al. 2016, "R-FCN".
at::Tensor positionSensitiveRoiPool(const at::Tensor& features, const at::Tensor& rois,
                                    const PositionSensitiveShape& shape);

} // namespace trainyard
