#pragma once

#include <torch/nn/module.h>

namespace trainyard {

/// A 2-d convolution with square kernel whose values are left unset until someone initialises them: LibTorch's own
/// draws from the global generator, which replicas share, and is thrown away anyway. At stride 1 it keeps the size.
/// Parameters "weight" [out, in / groups, kernel, kernel] and, where wanted, "bias" [out].
class Convolution final : public torch::nn::Module {
public:
    struct Shape {
        std::int64_t in, out, kernel;
        std::int64_t stride = 1;
        bool hasBias = true;
        std::int64_t rows = 0; ///< a kernel of this height in place of the square one; it eats rows - 1 rows
        std::int64_t groups = 1;
        std::int64_t dilation = 1;
        bool isPadded = true;          ///< otherwise it eats what its kernel is wider than a pixel
        std::int64_t columnStride = 0; ///< along the width, where it differs from `stride`
        /// TensorFlow's "SAME" where it strides: ⌈size / stride⌉ outputs, and the end gets the greater part of the
        /// padding.
        bool isPaddedAtEnd = false;
    };
    explicit Convolution(const Shape& shape);

    torch::Tensor forward(const torch::Tensor& images);

private:
    Shape m_shape;
    torch::Tensor m_weight, m_bias;
};

} // namespace trainyard
