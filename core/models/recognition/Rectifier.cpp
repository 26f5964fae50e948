#include "core/models/recognition/Rectifier.h"

#include "core/nn/Autocast.h"
#include "core/nn/PointSampling.h"
#include "core/nn/ThinPlateSpline.h"

#include <array>

namespace trainyard {
namespace {

constexpr std::size_t kLocalisationConvolutions = 6; // the last one is not pooled
constexpr std::array<std::int64_t, kLocalisationConvolutions> kFullLocalisation = {32, 64, 128, 256, 256, 256};
constexpr std::array<std::int64_t, kLocalisationConvolutions> kTinyLocalisation = {8, 16, 32, 32, 64, 64};
constexpr std::int64_t kDense = 512, kShrink = 32; // each way, by five poolings
constexpr double kDamping = 0.1;                   // of what the last layer sees: points move slowly
constexpr double kInsideSigmoid = 1e-3;            // a sigmoid never reaches the picture's edge

ControlPoints controlPointsOf(const AsterConfig& config) {
    return {config.controlPoints, config.marginX, config.marginY};
}

} // namespace

Rectifier::Rectifier(const AsterConfig& config, const std::string& norm) : m_config(config) {
    const auto& widths = config.tiny ? kTinyLocalisation : kFullLocalisation;
    std::int64_t in = config.channels;
    for (std::size_t i = 0; i < kLocalisationConvolutions; ++i) {
        auto layer = std::make_shared<NormedConvolution>(Convolution::Shape{in, widths[i], 3}, norm);
        m_convolutions.push_back(register_module("conv" + std::to_string(i + 1), std::move(layer)));
        in = widths[i];
    }
    const std::int64_t features = in * (config.localisationHeight / kShrink) * (config.localisationWidth / kShrink);
    m_first = register_module("fc1", std::make_shared<Dense>(features, kDense, norm == "none"));
    m_norm = register_module("fc1_norm", makeNorm(norm, kDense, kAsterNorm));
    m_second = register_module("fc2", std::make_shared<Dense>(kDense, 2 * config.controlPoints));
    m_basis = register_buffer(
        "basis", thinPlateBasis(controlPointsOf(config).canonical(), config.rectifiedHeight, config.rectifiedWidth)
                     .to(torch::kFloat));
}

torch::Tensor Rectifier::featuresOf(const torch::Tensor& images) {
    torch::Tensor features =
        at::upsample_bilinear2d(images, {m_config.localisationHeight, m_config.localisationWidth}, false);
    for (std::size_t i = 0; i < kLocalisationConvolutions; ++i) {
        features = m_convolutions[i]->forward(features);
        if (i + 1 < kLocalisationConvolutions)
            features = at::max_pool2d(features, {2, 2});
    }
    const Autocast plain(false);
    const torch::Tensor rows = m_first->forward(features.flatten(1).to(m_first->weight().scalar_type()));
    return m_norm->forward(rows.view({rows.size(0), kDense, 1, 1})).relu().flatten(1);
}

torch::Tensor Rectifier::pointsOf(const torch::Tensor& features) {
    const torch::Tensor points = m_second->forward(kDamping * features).view({-1, m_config.controlPoints, 2});
    return m_config.pointActivation == "sigmoid" ? points.sigmoid() : points;
}

Rectifier::Rectified Rectifier::forward(const torch::Tensor& images) {
    const torch::Tensor features = featuresOf(images);
    const Autocast plain(false);
    const torch::Tensor points = pointsOf(features);
    const torch::Tensor grid =
        at::matmul(m_basis, points).view({-1, m_config.rectifiedHeight, m_config.rectifiedWidth, 2});
    return {sampleAt(images, grid), points, features};
}

void Rectifier::initialise(const Initialiser& initialiser, const std::string& prefix) {
    const torch::NoGradGuard noGradients;
    for (const auto& item : named_parameters())
        if (item.value().dim() > 1 && item.key() != "fc2.weight")
            initialiser.varianceScaling(item.value(), prefix + item.key());
    torch::Tensor points = controlPointsOf(m_config).pattern(m_config.initialPoints).flatten();
    if (m_config.pointActivation == "sigmoid")
        points = points.clamp(kInsideSigmoid, 1 - kInsideSigmoid).logit();
    m_second->weight().zero_();
    m_second->bias().copy_(points);
}

} // namespace trainyard
