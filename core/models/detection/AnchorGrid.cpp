#include "core/models/detection/AnchorGrid.h"

#include <torch/nn/module.h>

#include <cmath>

namespace trainyard {
namespace {

/// Half of `side` in whole pixels, unless nothing would be left of it.
float halfOf(float side) {
    const float rounded = std::nearbyint(side / 2);
    return rounded > 0 ? rounded : side / 2;
}

/// [A, 4]: every ratio with every scale of `size`.
at::Tensor baseAnchors(double size, const RetinaNetConfig& config) {
    std::vector<float> corners;
    for (const double ratio : config.aspectRatios)
        for (const double scale : config.anchorScales) {
            const double exact = size * scale, whole = std::floor(exact + 1e-6);
            const float side = float(whole > 0 ? whole : exact);
            const float heightFactor = std::sqrt(float(ratio)), widthFactor = 1 / heightFactor;
            const float width = halfOf(widthFactor * side), height = halfOf(heightFactor * side);
            corners.insert(corners.end(), {-width, -height, width, height});
        }
    return at::tensor(corners).reshape({-1, 4});
}

at::Tensor levelAnchors(const at::Tensor& base, AnchorGrid::Size input, AnchorGrid::Size level) {
    const at::Tensor y = at::arange(level.first).mul(input.first / level.first).to(at::kFloat);
    const at::Tensor x = at::arange(level.second).mul(input.second / level.second).to(at::kFloat);
    const at::Tensor columns = x.repeat({level.first}), rows = y.repeat_interleave(level.second);
    const at::Tensor shifts = at::stack({columns, rows, columns, rows}, 1);
    return (shifts.unsqueeze(1) + base).reshape({-1, 4});
}

} // namespace

AnchorGrid::AnchorGrid(const RetinaNetConfig& config) {
    for (const double size : config.anchorSizes)
        m_base.push_back(baseAnchors(size, config));
}

const at::Tensor& AnchorGrid::anchors(Size input, const std::vector<Size>& levels, const at::Device& device) {
    TORCH_CHECK(levels.size() == m_base.size(), "AnchorGrid: ", levels.size(), " levels, but sizes for ",
                m_base.size());
    if (m_anchors.defined() && m_input == input && m_levels == levels && m_anchors.device() == device)
        return m_anchors;
    std::vector<at::Tensor> all;
    for (std::size_t i = 0; i < levels.size(); ++i)
        all.push_back(levelAnchors(m_base[i], input, levels[i]));
    m_anchors = at::cat(all).to(device);
    m_input = input;
    m_levels = levels;
    return m_anchors;
}

std::vector<std::int64_t> AnchorGrid::rowsALevel(const std::vector<Size>& levels, std::int64_t anchorsAPlace) {
    std::vector<std::int64_t> rows;
    for (const auto& [height, width] : levels)
        rows.push_back(height * width * anchorsAPlace);
    return rows;
}

} // namespace trainyard
