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

std::vector<torch::Tensor> RetinaNetBranch::look(const std::vector<torch::Tensor>& levels) {
    std::vector<torch::Tensor> seen;
    for (torch::Tensor features : levels) {
        for (const auto& convolution : m_convolutions)
            features = convolution->forward(features).relu_();
        seen.push_back(features);
    }
    return seen;
}

torch::Tensor RetinaNetBranch::read(const std::vector<torch::Tensor>& features) {
    std::vector<torch::Tensor> rows;
    for (const torch::Tensor& level : features)
        rows.push_back(anAnchorARow(m_last->forward(level), m_values));
    return at::cat(rows, 1);
}

RetinaNetHead::RetinaNetHead(std::int64_t channels, std::int64_t convolutions, std::int64_t anchors,
                             std::int64_t classes, bool isShared)
    : m_isShared(isShared),
      m_classification(
          register_module("classification_head",
                          std::make_shared<RetinaNetBranch>("cls_logits", channels, convolutions, anchors, classes))),
      m_regression(register_module(
          "regression_head",
          std::make_shared<RetinaNetBranch>("bbox_reg", channels, isShared ? 0 : convolutions, anchors, 4))) {}

RetinaNetOutput RetinaNetHead::forward(const std::vector<torch::Tensor>& levels) {
    const std::vector<torch::Tensor> seen = m_classification->look(levels);
    const torch::Tensor logits = m_classification->read(seen);
    return {logits, m_regression->read(m_isShared ? seen : m_regression->look(levels))};
}

} // namespace trainyard
