#include "core/models/detection/ResNet.h"

#include "core/nn/Recompute.h"

#include <torch/nn/module.h>

#include <algorithm>
#include <array>
#include <map>

namespace trainyard {
namespace {

using Blocks = std::array<std::int64_t, 4>; // of each stage

const std::map<std::int64_t, Blocks>& knownDepths() {
    static const std::map<std::int64_t, Blocks> blocks = {
        {18, {2, 2, 2, 2}}, {34, {3, 4, 6, 3}}, {50, {3, 4, 6, 3}}, {101, {3, 4, 23, 3}}, {152, {3, 8, 36, 3}}};
    return blocks;
}

const Blocks& blocksOf(std::int64_t depth) {
    TORCH_CHECK(isResNetDepth(depth), "There is no ResNet-", depth, "; the depths are 18, 34, 50, 101 and 152.");
    return knownDepths().at(depth);
}

const ResNetShape& checked(const ResNetShape& shape) {
    blocksOf(shape.depth);
    TORCH_CHECK(shape.isBottleneck() || (shape.groups == 1 && shape.widthPerGroup == 64 && shape.lastDilation == 1),
                "A ResNet-", shape.depth, " has neither groups nor dilation; choose 50 or more layers.");
    TORCH_CHECK(shape.stages == 3 || shape.stages == 4, "A ResNet has 3 or 4 stages, not ", shape.stages, ".");
    return shape;
}

} // namespace

bool isResNetDepth(std::int64_t depth) {
    return knownDepths().count(depth) > 0;
}

ResidualBlock::ResidualBlock(const Shape& shape, const std::string& norm) {
    const std::int64_t first = shape.stridesOn1x1 ? shape.stride : 1, second = shape.stridesOn1x1 ? 1 : shape.stride;
    if (shape.isBottleneck) {
        add({shape.in, shape.width, 1, first}, norm);
        add({shape.width, shape.width, 3, second, false, 0, shape.groups, shape.dilation}, norm);
        add({shape.width, shape.out, 1}, norm);
    } else {
        add({shape.in, shape.width, 3, shape.stride}, norm);
        add({shape.width, shape.out, 3}, norm);
    }
    if (shape.stride == 1 && shape.in == shape.out)
        return;
    auto downsample = register_module("downsample", std::make_shared<torch::nn::Module>());
    m_shortcut = downsample->register_module(
        "0", std::make_shared<Convolution>(Convolution::Shape{shape.in, shape.out, 1, shape.stride, norm == "none"}));
    m_shortcutNorm = downsample->register_module("1", makeNorm(norm, shape.out));
}

void ResidualBlock::add(Convolution::Shape shape, const std::string& norm) {
    const std::string number = std::to_string(m_convolutions.size() + 1);
    shape.hasBias = norm == "none";
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

std::int64_t ResNetShape::channelsOf(int number) const {
    return (isBottleneck() ? 256LL : 64LL) << (number - 1);
}

std::int64_t ResNetShape::strideOf(int number) const {
    return number == 4 && lastDilation > 1 ? 16 : 4LL << (number - 1);
}

ResNetStage::ResNetStage(const ResNetShape& shape, int number) {
    const std::int64_t in = number == 1 ? 64 : shape.channelsOf(number - 1);
    const std::int64_t dilation = number == 4 ? shape.lastDilation : 1;
    ResidualBlock::Shape block{in, (shape.groups * shape.widthPerGroup) << (number - 1), shape.channelsOf(number)};
    block.stride = number == 1 || dilation > 1 ? 1 : 2;
    block.isBottleneck = shape.isBottleneck();
    block.groups = shape.groups;
    block.dilation = dilation;
    block.stridesOn1x1 = shape.stridesOn1x1;
    const std::int64_t count = blocksOf(shape.depth)[std::size_t(number - 1)];
    for (std::int64_t i = 0; i < count; ++i) {
        m_blocks.push_back(register_module(std::to_string(i), std::make_shared<ResidualBlock>(block, shape.norm)));
        block.in = block.out;
        block.stride = 1;
    }
}

torch::Tensor ResNetStage::forward(torch::Tensor features) {
    for (const auto& block : m_blocks)
        features = throughBlock(block, features);
    return features;
}

ResNet::ResNet(const ResNetShape& shape) : m_shape(checked(shape)) {
    m_stem =
        register_module("conv1", std::make_shared<Convolution>(Convolution::Shape{3, 64, 7, 2, shape.norm == "none"}));
    m_stemNorm = register_module("bn1", makeNorm(shape.norm, 64));
    for (int number = 1; number <= int(shape.stages); ++number)
        m_stages.push_back(
            register_module("layer" + std::to_string(number), std::make_shared<ResNetStage>(shape, number)));
    for (const auto& module : frozenModules())
        for (auto& parameter : module->parameters())
            parameter.set_requires_grad(false);
}

ResNet::ResNet(std::int64_t depth, const std::string& norm, std::int64_t frozenStages)
    : ResNet([&] {
          ResNetShape shape;
          shape.depth = depth;
          shape.norm = norm;
          shape.frozenStages = frozenStages;
          return shape;
      }()) {}

std::vector<torch::Tensor> ResNet::allStages(const torch::Tensor& images) {
    torch::Tensor features = m_stemNorm->forward(m_stem->forward(images)).relu_();
    features = at::max_pool2d(features, {3, 3}, {2, 2}, {1, 1});
    std::vector<torch::Tensor> stages;
    for (const auto& stage : m_stages) {
        features = stage->forward(features);
        stages.push_back(features);
    }
    return stages;
}

std::vector<torch::Tensor> ResNet::forward(const torch::Tensor& images) {
    auto stages = allStages(images);
    stages.erase(stages.begin());
    return stages;
}

std::vector<std::int64_t> ResNet::channels() const {
    std::vector<std::int64_t> channels;
    for (int number = 2; number <= int(m_shape.stages); ++number)
        channels.push_back(m_shape.channelsOf(number));
    return channels;
}

std::vector<std::shared_ptr<torch::nn::Module>> ResNet::frozenModules() const {
    std::vector<std::shared_ptr<torch::nn::Module>> frozen;
    if (m_shape.frozenStages > 0)
        frozen = {m_stem, m_stemNorm};
    const auto count = std::clamp<std::int64_t>(m_shape.frozenStages - 1, 0, m_shape.stages);
    frozen.insert(frozen.end(), m_stages.begin(), m_stages.begin() + count);
    return frozen;
}

void ResNet::train(bool isOn) {
    torch::nn::Module::train(isOn);
    for (const auto& module : frozenModules())
        module->eval();
}

} // namespace trainyard
