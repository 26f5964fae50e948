#include "core/models/detection/RetinaNetHead.h"

#include <torch/nn/module.h>

namespace trainyard {
namespace {

/// [N, A × values, H, W] to [N, H × W × A, values]: no copy where the memory is channels-last.
torch::Tensor anAnchorARow(const torch::Tensor& maps, std::int64_t values) {
    return maps.permute({0, 2, 3, 1}).reshape({maps.size(0), -1, values}).to(torch::kFloat);
}

} // namespace

RetinaNetBranch::RetinaNetBranch(const std::string& lastName, std::int64_t channels, std::int64_t convolutions,
                                 std::int64_t anchors, std::int64_t values)
    : m_values(values) {
    auto stack = register_module("conv", std::make_shared<torch::nn::Module>());
    for (std::int64_t i = 0; i < convolutions; ++i) {
        auto block = stack->register_module(std::to_string(i), std::make_shared<torch::nn::Module>());
        m_convolutions.push_back(
            block->register_module("0", std::make_shared<Convolution>(Convolution::Shape{channels, channels, 3})));
    }
    m_last =
        register_module(lastName, std::make_shared<Convolution>(Convolution::Shape{channels, anchors * values, 3}));
}

torch::Tensor RetinaNetBranch::forward(const std::vector<torch::Tensor>& levels) {
    std::vector<torch::Tensor> rows;
    for (torch::Tensor features : levels) {
        for (const auto& convolution : m_convolutions)
            features = convolution->forward(features).relu_();
        rows.push_back(anAnchorARow(m_last->forward(features), m_values));
    }
    return at::cat(rows, 1);
}

RetinaNetHead::RetinaNetHead(std::int64_t channels, std::int64_t convolutions, std::int64_t anchors,
                             std::int64_t classes)
    : m_classification(
          register_module("classification_head",
                          std::make_shared<RetinaNetBranch>("cls_logits", channels, convolutions, anchors, classes))),
      m_regression(register_module("regression_head",
                                   std::make_shared<RetinaNetBranch>("bbox_reg", channels, convolutions, anchors, 4))) {
}

RetinaNetOutput RetinaNetHead::forward(const std::vector<torch::Tensor>& levels) {
    return {m_classification->forward(levels), m_regression->forward(levels)};
}

} // namespace trainyard
