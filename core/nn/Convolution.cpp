#include "core/nn/Convolution.h"

#include "core/nn/Autocast.h"

#include <torch/nn/module.h>

#include <algorithm>

namespace trainyard {
namespace {

/// What an axis of `size` pixels lacks in all for ⌈size / stride⌉ outputs.
std::int64_t missing(std::int64_t size, std::int64_t kernel, std::int64_t stride) {
    return std::max<std::int64_t>(0, ((size + stride - 1) / stride - 1) * stride + kernel - size);
}

torch::Tensor paddedAtEnd(const torch::Tensor& images, std::int64_t kernel, std::int64_t stride,
                          std::int64_t columnStride) {
    const std::int64_t down = missing(images.size(2), kernel, stride),
                       across = missing(images.size(3), kernel, columnStride);
    return at::constant_pad_nd(images, {across / 2, across - across / 2, down / 2, down - down / 2});
}

} // namespace

Convolution::Convolution(const Shape& shape) : m_shape(shape) {
    const std::int64_t rows = shape.rows > 0 ? shape.rows : shape.kernel;
    m_weight = register_parameter("weight", torch::zeros({shape.out, shape.in / shape.groups, rows, shape.kernel}));
    if (shape.hasBias)
        m_bias = register_parameter("bias", torch::zeros({shape.out}));
}

torch::Tensor Convolution::forward(const torch::Tensor& images) {
    const std::int64_t columnStride = m_shape.columnStride > 0 ? m_shape.columnStride : m_shape.stride;
    const auto convolved = [&](const torch::Tensor& input, torch::IntArrayRef padding) {
        // LibTorch 1.13 cannot convolve no images with a channels-last weight.
        const torch::Tensor weight = input.size(0) == 0 ? m_weight.contiguous() : m_weight;
        return at::conv2d(input, weight, m_bias, {m_shape.stride, columnStride}, padding, m_shape.dilation,
                          m_shape.groups);
    };
    if (m_shape.isPaddedAtEnd && (m_shape.stride > 1 || columnStride > 1))
        return convolved(paddedAtEnd(images, m_shape.kernel, m_shape.stride, columnStride), {0, 0});
    const std::int64_t aside = m_shape.isPadded ? m_shape.kernel / 2 * m_shape.dilation : 0;
    const std::int64_t above = m_shape.rows > 0 ? 0 : aside;
    // oneDNN 2.6 (LibTorch 1.13) reads memory that nobody wrote for the bfloat16 weight gradient of a strided
    // convolution over maps one pixel wide: such small ones run in float32.
    if (m_shape.stride > 1 && images.size(3) == 1 && compat::isCpuAutocastOn()) {
        const Autocast plain(false);
        return convolved(images.to(torch::kFloat), {above, aside});
    }
    return convolved(images, {above, aside});
}

} // namespace trainyard
