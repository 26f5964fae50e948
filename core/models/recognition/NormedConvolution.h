#pragma once

#include "core/nn/Convolution.h"
#include "core/nn/Initialiser.h"
#include "core/nn/Norm.h"

namespace trainyard {

/// How ASTER normalises: an offset but no scale, running statistics over about a hundred batches.
inline constexpr NormOptions kAsterNorm{.epsilon = 0.001, .momentum = 0.01, .hasScale = false};

/// A convolution with its normalisation and, unless told otherwise, ReLU behind it. Padded as TensorFlow's "SAME", or
/// not at all where `shape.rows` is given; a bias only where there is no normalisation. Children "conv" and "norm".
class NormedConvolution final : public torch::nn::Module {
public:
    NormedConvolution(Convolution::Shape shape, const std::string& norm, bool hasRelu = true);

    torch::Tensor forward(const torch::Tensor& images);

private:
    std::shared_ptr<Convolution> m_convolution;
    std::shared_ptr<Norm> m_norm;
    bool m_hasRelu;
};

} // namespace trainyard
