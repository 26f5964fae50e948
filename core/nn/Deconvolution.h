#pragma once

#include <torch/nn/module.h>

namespace trainyard {

/// A transposed 2-d convolution with square kernel, whose values are zero until someone initialises them, for the
/// reason that `Convolution` has. Parameters "weight" [in, out, kernel, kernel] and "bias" [out].
class Deconvolution final : public torch::nn::Module {
public:
    struct Shape {
        std::int64_t in, out, kernel, stride;
        std::int64_t padding = 0; ///< taken off each border of what comes out
    };
    explicit Deconvolution(const Shape& shape);

    torch::Tensor forward(const torch::Tensor& images);

private:
    Shape m_shape;
    torch::Tensor m_weight, m_bias;
};

} // namespace trainyard
