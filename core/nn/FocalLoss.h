#pragma once

#include <ATen/core/Tensor.h>

namespace trainyard {

/// What a row of the focal loss is when it is no class.
inline constexpr std::int64_t kBackground = -1; ///< no class is right
inline constexpr std::int64_t kIgnored = -2;    ///< the row counts for nothing

/// The sum over rows of weight × focal loss of independent sigmoids: a scalar of the logits' type.
/// `logits` is float or double [R, K], `labels` int64 [R] (a class from 0, kBackground or kIgnored), `weights` [R] of
/// the logits' type. On the CPU loss and gradient come from one pass; the result does not depend on the thread count.
/// Source: Lin et al. 2017, "Focal Loss for Dense Object Detection", equation 5; values as torchvision's.
at::Tensor sigmoidFocalLoss(const at::Tensor& logits, const at::Tensor& labels, const at::Tensor& weights, double alpha,
                            double gamma);

} // namespace trainyard
