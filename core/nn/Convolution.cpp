#include "core/nn/Convolution.h"

#include "core/nn/Autocast.h"

#include <torch/nn/module.h>

namespace trainyard {

Convolution::Convolution(const Shape& shape) : m_shape(shape) {
    const std::int64_t rows = shape.rows > 0 ? shape.rows : shape.kernel;
    m_weight = register_parameter("weight", torch::zeros({shape.out, shape.in / shape.groups, rows, shape.kernel}));
    if (shape.hasBias)
        m_bias = register_parameter("bias", torch::zeros({shape.out}));
}

torch::Tensor Convolution::forward(const torch::Tensor& images) {
    const std::int64_t aside = m_shape.isPadded ? m_shape.kernel / 2 * m_shape.dilation : 0;
    const std::int64_t above = m_shape.rows > 0 ? 0 : aside;
    const auto convolved = [&](const torch::Tensor& input) {
        return at::conv2d(input, m_weight, m_bias, m_shape.stride, {above, aside}, m_shape.dilation, m_shape.groups);
    };
    // oneDNN 2.6 (LibTorch 1.13) reads memory that nobody wrote for the bfloat16 weight gradient of a strided
    // convolution over maps one pixel wide: such small ones run in float32.
    if (m_shape.stride > 1 && images.size(3) == 1 && compat::isCpuAutocastOn()) {
        const Autocast plain(false);
        return convolved(images.to(torch::kFloat));
    }
    return convolved(images);
}

} // namespace trainyard
