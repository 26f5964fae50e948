#include "core/nn/RegressionLoss.h"

#include <torch/nn/module.h>

namespace trainyard {

at::Tensor weightedL1Loss(const at::Tensor& predicted, const at::Tensor& target, const at::Tensor& weights,
                          double beta) {
    TORCH_CHECK(predicted.dim() == 2 && predicted.sizes() == target.sizes() && weights.dim() == 1 &&
                    weights.size(0) == predicted.size(0),
                "weightedL1Loss: wants [K, D], [K, D] and [K]");
    const at::Tensor distance = beta > 0 ? at::smooth_l1_loss(predicted, target, at::Reduction::None, beta)
                                         : at::l1_loss(predicted, target, at::Reduction::None);
    return (distance.sum(1) * weights).sum();
}

} // namespace trainyard
