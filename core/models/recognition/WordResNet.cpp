#include "core/models/recognition/WordResNet.h"

#include "core/nn/Recompute.h"

#include <array>

namespace trainyard {
namespace {

constexpr std::array<std::int64_t, 5> kStageWidths = {1, 2, 4, 8, 16}; // of the stem's channels
constexpr std::array<std::int64_t, 5> kColumnStrides = {2, 2, 1, 1, 1};

} // namespace

WordResidualUnit::WordResidualUnit(const Shape& shape, const std::string& norm) {
    const Convolution::Shape first{.in = shape.in,
                                   .out = shape.out,
                                   .kernel = shape.isFirst ? 3 : 1,
                                   .stride = shape.stride,
                                   .columnStride = shape.columnStride};
    m_first = register_module("conv1", std::make_shared<NormedConvolution>(first, norm));
    const Convolution::Shape second{.in = shape.out, .out = shape.out, .kernel = 3};
    m_second = register_module("conv2", std::make_shared<NormedConvolution>(second, norm, /*hasRelu=*/false));
    if (shape.isFirst)
        m_shortcut = register_module("shortcut", std::make_shared<NormedConvolution>(first, norm));
}

torch::Tensor WordResidualUnit::forward(const torch::Tensor& images) {
    const torch::Tensor shortcut = m_shortcut ? m_shortcut->forward(images) : images;
    return (m_second->forward(m_first->forward(images)) + shortcut).relu();
}

WordResNet::WordResNet(const AsterConfig& config, const std::string& norm)
    : m_outputs(kStageWidths.back() * config.stemChannels) {
    const Convolution::Shape stem{.in = config.channels, .out = config.stemChannels, .kernel = 3};
    m_stem = register_module("stem", std::make_shared<NormedConvolution>(stem, norm));
    WordResidualUnit::Shape shape{stem.out, 0};
    for (std::size_t i = 0; i < kStageWidths.size(); ++i) {
        auto block = register_module("block" + std::to_string(i + 1), std::make_shared<torch::nn::Module>());
        shape.out = kStageWidths[i] * config.stemChannels;
        for (std::int64_t u = 0; u < config.residualUnits[i]; ++u) {
            shape.isFirst = u == 0;
            shape.stride = u == 0 ? 2 : 1;
            shape.columnStride = u == 0 ? kColumnStrides[i] : 1;
            auto unit = std::make_shared<WordResidualUnit>(shape, norm);
            m_units.push_back(block->register_module("unit" + std::to_string(u + 1), std::move(unit)));
            shape.in = shape.out;
        }
    }
}

std::vector<torch::Tensor> WordResNet::forward(const torch::Tensor& images) {
    torch::Tensor features = m_stem->forward(images);
    for (const auto& unit : m_units)
        features = throughBlock(unit, features);
    return {features};
}

} // namespace trainyard
