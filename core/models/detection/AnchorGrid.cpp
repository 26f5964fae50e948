#include "core/models/detection/AnchorGrid.h"

#include <torch/nn/module.h>

#include <array>
#include <cmath>

namespace trainyard {
namespace {

/// Half of `side` in whole pixels, unless nothing would be left of it.
float halfOf(float side) {
    const float rounded = std::nearbyint(side / 2);
    return rounded > 0 ? rounded : side / 2;
}

/// [A, 4] around 0, 0: every ratio with every size.
at::Tensor torchvisionBase(const std::vector<double>& sizes, const std::vector<double>& ratios) {
    std::vector<float> corners;
    for (const double ratio : ratios)
        for (const double size : sizes) {
            const float side = float(size);
            const float heightFactor = std::sqrt(float(ratio)), widthFactor = 1 / heightFactor;
            const float width = halfOf(widthFactor * side), height = halfOf(heightFactor * side);
            corners.insert(corners.end(), {-width, -height, width, height});
        }
    return at::tensor(corners).reshape({-1, 4});
}

/// Corners of one anchor in a place of `stride` pixels, end pixels included.
std::array<float, 4> detectronAnchor(double size, double ratio, std::int64_t stride) {
    const double centre = double(stride - 1) / 2;
    const double width = std::nearbyint(std::sqrt(double(stride * stride) / ratio));
    const double height = std::nearbyint(width * ratio);
    const double halfWidth = (width * size / double(stride) - 1) / 2;
    const double halfHeight = (height * size / double(stride) - 1) / 2;
    return {float(centre - halfWidth), float(centre - halfHeight), float(centre + halfWidth),
            float(centre + halfHeight)};
}

/// [A, 4]: every ratio with every size, or every size with every ratio.
at::Tensor detectronBase(const std::vector<double>& sizes, const AnchorRules& rules, std::int64_t stride) {
    std::vector<float> corners;
    const auto add = [&](double size, double ratio) {
        const auto anchor = detectronAnchor(size, ratio, stride);
        corners.insert(corners.end(), anchor.begin(), anchor.end());
    };
    for (std::size_t i = 0; i < sizes.size() * rules.ratios.size(); ++i)
        if (rules.isBySize)
            add(sizes[i / rules.ratios.size()], rules.ratios[i % rules.ratios.size()]);
        else
            add(sizes[i % sizes.size()], rules.ratios[i / sizes.size()]);
    return at::tensor(corners).reshape({-1, 4});
}

/// `base` moved to every place of a level, `stepY` and `stepX` pixels apart.
at::Tensor levelAnchors(const at::Tensor& base, AnchorGrid::Size level, std::int64_t stepY, std::int64_t stepX) {
    const at::Tensor y = at::arange(level.first).mul(stepY).to(at::kFloat);
    const at::Tensor x = at::arange(level.second).mul(stepX).to(at::kFloat);
    const at::Tensor columns = x.repeat({level.first}), rows = y.repeat_interleave(level.second);
    const at::Tensor shifts = at::stack({columns, rows, columns, rows}, 1);
    return (shifts.unsqueeze(1) + base).reshape({-1, 4});
}

AnchorRules rulesOf(const RetinaNetConfig& config) {
    constexpr std::int64_t kFinestStride = 8; // of P3
    AnchorRules rules;
    rules.ratios = config.aspectRatios;
    rules.isBySize = config.convention == "detectron";
    rules.convention = rules.isBySize ? BoxConvention::Detectron : BoxConvention::Torchvision;
    for (const double size : config.anchorSizes) {
        std::vector<double> sizes;
        for (const double scale : config.anchorScales) {
            const double exact = size * scale, whole = std::floor(exact + 1e-6);
            sizes.push_back(whole > 0 && !rules.isBySize ? whole : exact);
        }
        rules.strides.push_back(kFinestStride << rules.sizes.size());
        rules.sizes.push_back(sizes);
    }
    return rules;
}

} // namespace

AnchorGrid::AnchorGrid(const AnchorRules& rules) : m_rules(rules) {
    const bool isDetectron = rules.convention == BoxConvention::Detectron;
    TORCH_CHECK(!isDetectron || rules.strides.size() == rules.sizes.size(), "AnchorGrid: ", rules.strides.size(),
                " strides for ", rules.sizes.size(), " levels");
    for (std::size_t i = 0; i < rules.sizes.size(); ++i)
        m_base.push_back(isDetectron ? detectronBase(rules.sizes[i], rules, rules.strides[i])
                                     : torchvisionBase(rules.sizes[i], rules.ratios));
}

AnchorGrid::AnchorGrid(const RetinaNetConfig& config) : AnchorGrid(rulesOf(config)) {}

const at::Tensor& AnchorGrid::anchors(Size input, const std::vector<Size>& levels, const at::Device& device) {
    TORCH_CHECK(levels.size() == m_base.size(), "AnchorGrid: ", levels.size(), " levels, but sizes for ",
                m_base.size());
    if (m_anchors.defined() && m_input == input && m_levels == levels && m_anchors.device() == device)
        return m_anchors;
    std::vector<at::Tensor> all;
    for (std::size_t i = 0; i < levels.size(); ++i)
        all.push_back(
            m_rules.convention == BoxConvention::Detectron
                ? levelAnchors(m_base[i], levels[i], m_rules.strides[i], m_rules.strides[i])
                : levelAnchors(m_base[i], levels[i], input.first / levels[i].first, input.second / levels[i].second));
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
