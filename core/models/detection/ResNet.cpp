#include "core/models/detection/ResNet.h"

#include <torch/nn/module.h>

#include <array>
#include <map>

namespace trainyard {
namespace {

struct Depth {
    std::array<std::int64_t, 4> blocks;
    bool isBottleneck;
};

const Depth& depthOf(std::int64_t depth) {
    static const std::map<std::int64_t, Depth> depths = {
        {18, {{2, 2, 2, 2}, false}}, {34, {{3, 4, 6, 3}, false}}, {50, {{3, 4, 6, 3}, true}}};
    const auto found = depths.find(depth);
    TORCH_CHECK(found != depths.end(), "There is no ResNet-", depth, "; the depths are 18, 34 and 50.");
    return found->second;
}

} // namespace

ResidualBlock::ResidualBlock(const Shape& shape, const std::string& norm) {
    const bool hasBias = norm == "none";
    if (shape.isBottleneck) {
        add({shape.in, shape.width, 1, 1, hasBias}, norm);
        add({shape.width, shape.width, 3, shape.stride, hasBias}, norm);
        add({shape.width, shape.out, 1, 1, hasBias}, norm);
    } else {
        add({shape.in, shape.width, 3, shape.stride, hasBias}, norm);
        add({shape.width, shape.out, 3, 1, hasBias}, norm);
    }
    if (shape.stride == 1 && shape.in == shape.out)
        return;
    auto downsample = register_module("downsample", std::make_shared<torch::nn::Module>());
    m_shortcut = downsample->register_module(
        "0", std::make_shared<Convolution>(Convolution::Shape{shape.in, shape.out, 1, shape.stride, hasBias}));
    m_shortcutNorm = downsample->register_module("1", makeNorm(norm, shape.out));
}

void ResidualBlock::add(const Convolution::Shape& shape, const std::string& norm) {
    const std::string number = std::to_string(m_convolutions.size() + 1);
    m_convolutions.push_back(register_module("conv" + number, std::make_shared<Convolution>(shape)));
    m_norms.push_back(register_module("bn" + number, makeNorm(norm, shape.out)));
}

torch::Tensor ResidualBlock::forward(const torch::Tensor& features) {
    torch::Tensor path = features;
    for (std::size_t i = 0; i < m_convolutions.size(); ++i) {
        if (i > 0)
            path = path.relu_();
        path = m_norms[i]->forward(m_convolutions[i]->forward(path));
    }
    const torch::Tensor shortcut = m_shortcut ? m_shortcutNorm->forward(m_shortcut->forward(features)) : features;
    return path.add_(shortcut).relu_();
}

ResNet::ResNet(std::int64_t depth, const std::string& norm, std::int64_t frozenStages)
    : m_frozenStages(frozenStages), m_isBottleneck(depthOf(depth).isBottleneck) {
    m_stem = register_module("conv1", std::make_shared<Convolution>(Convolution::Shape{3, 64, 7, 2, norm == "none"}));
    m_stemNorm = register_module("bn1", makeNorm(norm, 64));
    for (int number = 1; number <= 4; ++number)
        addStage(number, depthOf(depth).blocks[std::size_t(number - 1)], 64LL << (number - 1), number == 1 ? 1 : 2,
                 norm);
    for (const auto& module : frozenModules())
        for (auto& parameter : module->parameters())
            parameter.set_requires_grad(false);
}

void ResNet::addStage(int number, std::int64_t blocks, std::int64_t width, std::int64_t stride,
                      const std::string& norm) {
    const std::int64_t out = m_isBottleneck ? 4 * width : width;
    auto layer = register_module("layer" + std::to_string(number), std::make_shared<torch::nn::Module>());
    Stage stage;
    for (std::int64_t i = 0; i < blocks; ++i) {
        const ResidualBlock::Shape shape{m_channels, width, out, i == 0 ? stride : 1, m_isBottleneck};
        stage.push_back(layer->register_module(std::to_string(i), std::make_shared<ResidualBlock>(shape, norm)));
        m_channels = out;
    }
    m_stages.push_back(std::move(stage));
}

std::vector<torch::Tensor> ResNet::forward(const torch::Tensor& images) {
    torch::Tensor features = m_stemNorm->forward(m_stem->forward(images)).relu_();
    features = at::max_pool2d(features, {3, 3}, {2, 2}, {1, 1});
    std::vector<torch::Tensor> kept;
    for (std::size_t i = 0; i < m_stages.size(); ++i) {
        for (const auto& block : m_stages[i])
            features = block->forward(features);
        if (i > 0)
            kept.push_back(features);
    }
    return kept;
}

std::vector<std::int64_t> ResNet::channels() const {
    return {m_channels / 4, m_channels / 2, m_channels};
}

std::vector<std::shared_ptr<torch::nn::Module>> ResNet::frozenModules() const {
    std::vector<std::shared_ptr<torch::nn::Module>> frozen;
    if (m_frozenStages > 0)
        frozen = {m_stem, m_stemNorm};
    for (std::int64_t i = 0; i + 1 < m_frozenStages; ++i)
        frozen.insert(frozen.end(), m_stages[std::size_t(i)].begin(), m_stages[std::size_t(i)].end());
    return frozen;
}

void ResNet::train(bool isOn) {
    torch::nn::Module::train(isOn);
    for (const auto& module : frozenModules())
        module->eval();
}

} // namespace trainyard
