#include "core/models/detection/RpnHead.h"

#include <torch/nn/module.h>

namespace trainyard {
namespace {

/// [N, A × values, H, W] to [N, H × W × A, values].
torch::Tensor byAnchor(const torch::Tensor& maps, std::int64_t values) {
    return maps.permute({0, 2, 3, 1}).reshape({maps.size(0), -1, values}).to(torch::kFloat);
}

} // namespace

RpnHead::RpnHead(std::int64_t channels, std::int64_t anchorsAPlace) {
    auto outer = register_module("conv", std::make_shared<torch::nn::Module>());
    auto inner = outer->register_module("0", std::make_shared<torch::nn::Module>());
    m_convolution =
        inner->register_module("0", std::make_shared<Convolution>(Convolution::Shape{channels, channels, 3}));
    m_logits =
        register_module("cls_logits", std::make_shared<Convolution>(Convolution::Shape{channels, anchorsAPlace, 1}));
    m_offsets =
        register_module("bbox_pred", std::make_shared<Convolution>(Convolution::Shape{channels, 4 * anchorsAPlace, 1}));
}

RpnOutput RpnHead::forward(const std::vector<torch::Tensor>& levels) {
    std::vector<torch::Tensor> logits, offsets;
    RpnOutput output;
    for (const auto& level : levels) {
        const torch::Tensor features = m_convolution->forward(level).relu_();
        logits.push_back(byAnchor(m_logits->forward(features), 1).squeeze(2));
        offsets.push_back(byAnchor(m_offsets->forward(features), 4));
        output.rowsALevel.push_back(logits.back().size(1));
    }
    output.logits = at::cat(logits, 1);
    output.offsets = at::cat(offsets, 1);
    return output;
}

} // namespace trainyard
