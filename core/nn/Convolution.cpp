#include "core/nn/Convolution.h"

#include <torch/torch.h>

namespace trainyard {

Convolution::Convolution(const Shape& shape) : m_shape(shape) {
    const std::int64_t rows = shape.rows > 0 ? shape.rows : shape.kernel;
    m_weight = register_parameter("weight", torch::zeros({shape.out, shape.in, rows, shape.kernel}));
    if (shape.hasBias)
        m_bias = register_parameter("bias", torch::zeros({shape.out}));
}

torch::Tensor Convolution::forward(const torch::Tensor& images) {
    const std::int64_t aside = m_shape.kernel / 2, above = m_shape.rows > 0 ? 0 : aside;
    return at::conv2d(images, m_weight, m_bias, m_shape.stride, {above, aside});
}

} // namespace trainyard
