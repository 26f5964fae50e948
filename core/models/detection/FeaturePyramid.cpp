#include "core/models/detection/FeaturePyramid.h"

#include <torch/nn/module.h>

namespace trainyard {
namespace {

/// A convolution inside a module of its own, as torchvision nests it: parameters NUMBER.0.weight and NUMBER.0.bias.
std::shared_ptr<Convolution> addNested(torch::nn::Module& parent, std::size_t number, const Convolution::Shape& shape) {
    auto block = parent.register_module(std::to_string(number), std::make_shared<torch::nn::Module>());
    return block->register_module("0", std::make_shared<Convolution>(shape));
}

} // namespace

FeaturePyramid::FeaturePyramid(const std::vector<std::int64_t>& inputChannels, std::int64_t channels) {
    auto inner = register_module("inner_blocks", std::make_shared<torch::nn::Module>());
    auto layers = register_module("layer_blocks", std::make_shared<torch::nn::Module>());
    for (std::size_t i = 0; i < inputChannels.size(); ++i) {
        m_inner.push_back(addNested(*inner, i, {inputChannels[i], channels, 1}));
        m_layers.push_back(addNested(*layers, i, {channels, channels, 3}));
    }
    auto extra = register_module("extra_blocks", std::make_shared<torch::nn::Module>());
    m_p6 = extra->register_module("p6", std::make_shared<Convolution>(Convolution::Shape{channels, channels, 3, 2}));
    m_p7 = extra->register_module("p7", std::make_shared<Convolution>(Convolution::Shape{channels, channels, 3, 2}));
}

std::vector<torch::Tensor> FeaturePyramid::forward(const std::vector<torch::Tensor>& features) {
    std::vector<torch::Tensor> levels(features.size());
    torch::Tensor above;
    for (std::size_t i = features.size(); i-- > 0;) {
        torch::Tensor inner = m_inner[i]->forward(features[i]);
        if (above.defined())
            inner.add_(at::upsample_nearest2d(above, inner.sizes().slice(2)));
        levels[i] = m_layers[i]->forward(inner);
        above = inner;
    }
    levels.push_back(m_p6->forward(levels.back()));
    levels.push_back(m_p7->forward(at::relu(levels.back())));
    return levels;
}

} // namespace trainyard
