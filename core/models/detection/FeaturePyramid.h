#pragma once

#include "core/nn/Convolution.h"

#include <torch/nn/module.h>

#include <memory>
#include <vector>

namespace trainyard {

/// Features of strides 8, 16, 32 in, of equal channels and strides 8, 16, 32, 64, 128 out (P3…P7); P6 and P7 are
/// convolved from P5. Parameter names as torchvision's. Source: Lin et al. 2017, "Feature Pyramid Networks".
class FeaturePyramid final : public torch::nn::Module {
public:
    FeaturePyramid(const std::vector<std::int64_t>& inputChannels, std::int64_t channels);
    std::vector<torch::Tensor> forward(const std::vector<torch::Tensor>& features);

private:
    std::vector<std::shared_ptr<Convolution>> m_inner, m_layers;
    std::shared_ptr<Convolution> m_p6, m_p7;
};

} // namespace trainyard
