#include "core/nn/Deconvolution.h"

#include <torch/nn/module.h>

namespace trainyard {

Deconvolution::Deconvolution(const Shape& shape) : m_shape(shape) {
    m_weight = register_parameter("weight", torch::zeros({shape.in, shape.out, shape.kernel, shape.kernel}));
    m_bias = register_parameter("bias", torch::zeros({shape.out}));
}

torch::Tensor Deconvolution::forward(const torch::Tensor& images) {
    const torch::Tensor weight = images.size(0) == 0 ? m_weight.contiguous() : m_weight; // why: see Convolution
    return at::conv_transpose2d(images, weight, m_bias, m_shape.stride, m_shape.padding);
}

} // namespace trainyard
