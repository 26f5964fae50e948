#pragma once

#include "core/config/RunConfig.h"
#include "core/models/recognition/NormedConvolution.h"
#include "core/nn/Dense.h"

namespace trainyard {

/// Straightens words: a small network finds control points along the upper and the lower edge of the text, and a
/// thin-plate spline takes them to two straight rows. It learns from the recogniser's loss alone.
/// Children conv1 … conv6, fc1, fc1_norm, fc2; buffer "basis" (see thinPlateBasis).
/// Source: Shi et al. 2018, "ASTER", section 3.1.
class Rectifier final : public torch::nn::Module {
public:
    Rectifier(const AsterConfig& config, const std::string& norm);

    struct Rectified {
        torch::Tensor images;   ///< [N, C, rectified height, rectified width]
        torch::Tensor points;   ///< control points, [N, K, 2], in an image of width and height 1
        torch::Tensor features; ///< what the points are made of, [N, 512]
    };
    /// `images` are [N, C, H, W]. Everything behind the convolutions is float32, under autocast too.
    Rectified forward(const torch::Tensor& images);

    /// Any image's control points are the initial pattern's then.
    void initialise(const Initialiser& initialiser, const std::string& prefix);

private:
    torch::Tensor featuresOf(const torch::Tensor& images);
    torch::Tensor pointsOf(const torch::Tensor& features);

    AsterConfig m_config;
    std::vector<std::shared_ptr<NormedConvolution>> m_convolutions;
    std::shared_ptr<Dense> m_first, m_second;
    std::shared_ptr<Norm> m_norm; ///< of the first dense layer
    torch::Tensor m_basis;
};

} // namespace trainyard
