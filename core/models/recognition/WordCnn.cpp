#include "core/models/recognition/WordCnn.h"

#include <array>

namespace trainyard {
namespace {

constexpr std::size_t kConvolutions = 7, kTrunk = 4;
constexpr std::array<std::int64_t, kConvolutions> kFullWidths = {64, 128, 256, 256, 512, 512, 512};
constexpr std::array<std::int64_t, kConvolutions> kTinyWidths = {8, 16, 32, 64, 128, 128, 128};

/// The column strides of a branch's two poolings.
struct Poolings {
    std::int64_t first, second;
};
constexpr std::array<Poolings, 3> kBranches = {{{1, 1}, {2, 1}, {2, 2}}};

torch::Tensor pooled(const torch::Tensor& features, std::int64_t columnStride) {
    return at::max_pool2d(features, {2, 2}, {2, columnStride});
}

} // namespace

WordCnn::WordCnn(const AsterConfig& config, const std::string& norm) : m_widths{config.channels}, m_norm(norm) {
    const auto& widths = config.tiny ? kTinyWidths : kFullWidths;
    m_widths.insert(m_widths.end(), widths.begin(), widths.end());
    m_outputs = m_widths.back();
    m_trunk = addLayers("trunk", 0, kTrunk);
    for (std::int64_t b = 0; b < config.branches; ++b)
        m_branches.push_back(addLayers("branch" + std::to_string(b), kTrunk, kConvolutions));
}

WordCnn::Layers WordCnn::addLayers(const std::string& name, std::size_t from, std::size_t to) {
    auto parent = register_module(name, std::make_shared<torch::nn::Module>());
    Layers layers;
    for (std::size_t i = from; i < to; ++i) {
        Convolution::Shape shape{.in = m_widths[i], .out = m_widths[i + 1], .kernel = 3};
        if (i + 1 == kConvolutions) {
            shape.rows = 2;
            shape.kernel = 1;
        }
        layers.push_back(parent->register_module("layer" + std::to_string(i + 1),
                                                 std::make_shared<NormedConvolution>(shape, m_norm)));
    }
    return layers;
}

torch::Tensor WordCnn::branchOf(std::size_t number, torch::Tensor features) {
    const Layers& layers = m_branches[number];
    features = layers[0]->forward(pooled(features, kBranches[number].first));
    features = layers[1]->forward(features);
    return layers[2]->forward(pooled(features, kBranches[number].second));
}

std::vector<torch::Tensor> WordCnn::forward(const torch::Tensor& images) {
    torch::Tensor features = images;
    for (std::size_t i = 0; i < kTrunk; ++i) {
        features = m_trunk[i]->forward(features);
        if (i < 2)
            features = at::max_pool2d(features, {2, 2});
    }
    std::vector<torch::Tensor> maps;
    for (std::size_t b = 0; b < m_branches.size(); ++b)
        maps.push_back(branchOf(b, features));
    return maps;
}

} // namespace trainyard
