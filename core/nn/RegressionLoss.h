#pragma once

#include <ATen/core/Tensor.h>

namespace trainyard {

/// The sum over rows of weight × (smooth) L1 distance: a scalar. `predicted` and `target` are [K, D], `weights` [K].
/// |d| beyond `beta`, d² / (2 beta) with half of beta taken off within it; `beta` 0 is plain L1.
/// Source: Girshick 2015, "Fast R-CNN", equation 3.
at::Tensor weightedL1Loss(const at::Tensor& predicted, const at::Tensor& target, const at::Tensor& weights,
                          double beta = 0);

} // namespace trainyard
