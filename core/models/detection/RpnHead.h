#pragma once

#include "core/nn/Convolution.h"

#include <torch/nn/module.h>

#include <memory>
#include <vector>

namespace trainyard {

/// What the proposal network says of every anchor, levels one after the other, in float32.
struct RpnOutput {
    torch::Tensor logits;                 ///< [N, R]
    torch::Tensor offsets;                ///< [N, R, 4]
    std::vector<std::int64_t> rowsALevel; ///< they sum to R
};

/// A 3×3 convolution with ReLU, then objectness and box offsets of each anchor, shared by all levels. Parameters
/// conv.0.0, cls_logits and bbox_pred, as torchvision's. Source: Ren et al. 2015, "Faster R-CNN".
class RpnHead final : public torch::nn::Module {
public:
    RpnHead(std::int64_t channels, std::int64_t anchorsAPlace);

    /// Levels [N, C, H, W]; rows in the order of AnchorGrid: level, row, column, anchor.
    RpnOutput forward(const std::vector<torch::Tensor>& levels);

private:
    std::shared_ptr<Convolution> m_convolution, m_logits, m_offsets;
};

} // namespace trainyard
