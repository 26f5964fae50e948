#include "core/models/detection/FeaturePyramid.h"

#include <torch/nn/module.h>

namespace trainyard {

torch::Tensor FeaturePyramid::Block::operator()(const torch::Tensor& images) const {
    const torch::Tensor convolved = convolution->forward(images);
    return norm ? norm->forward(convolved) : convolved;
}

FeaturePyramid::Block FeaturePyramid::addBlock(torch::nn::Module& parent, std::size_t number, Convolution::Shape shape,
                                               const std::string& norm) {
    auto block = parent.register_module(std::to_string(number), std::make_shared<torch::nn::Module>());
    shape.hasBias = norm == "none";
    Block made{block->register_module("0", std::make_shared<Convolution>(shape)), nullptr};
    if (norm != "none")
        made.norm = block->register_module("1", makeNorm(norm, shape.out));
    return made;
}

FeaturePyramid::FeaturePyramid(const std::vector<std::int64_t>& inputChannels, std::int64_t channels, PyramidTop top,
                               const std::string& norm)
    : m_top(top) {
    auto inner = register_module("inner_blocks", std::make_shared<torch::nn::Module>());
    auto layers = register_module("layer_blocks", std::make_shared<torch::nn::Module>());
    for (std::size_t i = 0; i < inputChannels.size(); ++i) {
        m_inner.push_back(addBlock(*inner, i, {inputChannels[i], channels, 1}, norm));
        m_layers.push_back(addBlock(*layers, i, {channels, channels, 3}, norm));
    }
    if (top != PyramidTop::FromPyramid && top != PyramidTop::FromBody)
        return;
    auto extra = register_module("extra_blocks", std::make_shared<torch::nn::Module>());
    const std::int64_t below = top == PyramidTop::FromBody ? inputChannels.back() : channels;
    m_p6 = extra->register_module("p6", std::make_shared<Convolution>(Convolution::Shape{below, channels, 3, 2}));
    m_p7 = extra->register_module("p7", std::make_shared<Convolution>(Convolution::Shape{channels, channels, 3, 2}));
}

std::vector<torch::Tensor> FeaturePyramid::forward(const std::vector<torch::Tensor>& features) {
    TORCH_CHECK(features.size() == m_inner.size(), "FeaturePyramid: ", features.size(), " features for ",
                m_inner.size(), " levels");
    std::vector<torch::Tensor> levels(features.size());
    torch::Tensor above;
    for (std::size_t i = features.size(); i-- > 0;) {
        torch::Tensor inner = m_inner[i](features[i]);
        if (above.defined())
            inner = inner + at::upsample_nearest2d(above, inner.sizes().slice(2));
        levels[i] = m_layers[i](inner);
        above = inner;
    }
    if (m_top == PyramidTop::Pool)
        levels.push_back(at::max_pool2d(levels.back(), {1, 1}, {2, 2}));
    if (m_p6) {
        levels.push_back(m_p6->forward(m_top == PyramidTop::FromBody ? features.back() : levels.back()));
        levels.push_back(m_p7->forward(at::relu(levels.back())));
    }
    return levels;
}

} // namespace trainyard
