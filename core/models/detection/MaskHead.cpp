#include "core/models/detection/MaskHead.h"

#include "core/telemetry/RunLength.h"

#include <torch/nn/module.h>

#include <algorithm>
#include <array>

namespace trainyard {
namespace {

/// Where the enlarged box begins and ends, in whole pixels: x1 y1 x2 y2.
std::array<std::int64_t, 4> enlarged(const Box& box, float factor) {
    const float halfWidth = (box.x2 - box.x1) * 0.5F * factor, halfHeight = (box.y2 - box.y1) * 0.5F * factor;
    const float x = (box.x2 + box.x1) * 0.5F, y = (box.y2 + box.y1) * 0.5F;
    return {std::int64_t(x - halfWidth), std::int64_t(y - halfHeight), std::int64_t(x + halfWidth),
            std::int64_t(y + halfHeight)};
}

} // namespace

MaskHead::MaskHead(const MaskHeadShape& shape) {
    Convolution::Shape convolution{shape.in, shape.width, 3};
    convolution.hasBias = shape.norm == "none";
    convolution.dilation = shape.dilation;
    for (std::int64_t i = 0; i < shape.convolutions; ++i) {
        auto block = register_module(std::to_string(i), std::make_shared<torch::nn::Module>());
        m_convolutions.push_back(block->register_module("0", std::make_shared<Convolution>(convolution)));
        m_norms.push_back(makeNorm(shape.norm, shape.width));
        if (shape.norm != "none")
            block->register_module("1", m_norms.back());
        convolution.in = shape.width;
    }
}

torch::Tensor MaskHead::forward(torch::Tensor regions) {
    for (std::size_t i = 0; i < m_convolutions.size(); ++i)
        regions = m_norms[i]->forward(m_convolutions[i]->forward(regions)).relu_();
    return regions;
}

MaskPredictor::MaskPredictor(std::int64_t in, std::int64_t width, std::int64_t masks)
    : m_doubling(register_module("conv5_mask", std::make_shared<Deconvolution>(Deconvolution::Shape{in, width, 2, 2}))),
      m_logits(register_module("mask_fcn_logits", std::make_shared<Convolution>(Convolution::Shape{width, masks, 1}))) {
}

torch::Tensor MaskPredictor::forward(const torch::Tensor& regions) {
    return m_logits->forward(m_doubling->forward(regions).relu_()).to(torch::kFloat);
}

at::Tensor pastedMask(const at::Tensor& mask, const Box& box, std::int64_t height, std::int64_t width) {
    const at::Tensor picture = at::zeros({height, width}), padded = at::constant_pad_nd(mask, {1, 1, 1, 1});
    const auto [left, top, right, bottom] = enlarged(box, float(padded.size(0)) / float(mask.size(0)));
    const std::int64_t boxWidth = std::max<std::int64_t>(right - left + 1, 1);
    const std::int64_t boxHeight = std::max<std::int64_t>(bottom - top + 1, 1);
    const std::int64_t x1 = std::max<std::int64_t>(left, 0), x2 = std::min(left + boxWidth, width);
    const std::int64_t y1 = std::max<std::int64_t>(top, 0), y2 = std::min(top + boxHeight, height);
    if (x1 >= x2 || y1 >= y2)
        return picture;
    const at::Tensor scaled =
        at::upsample_bilinear2d(padded.unsqueeze(0).unsqueeze(0), {boxHeight, boxWidth}, false)[0][0];
    picture.slice(0, y1, y2).slice(1, x1, x2).copy_(scaled.slice(0, y1 - top, y2 - top).slice(1, x1 - left, x2 - left));
    return picture;
}

RunLengthMask maskInPicture(const at::Tensor& mask, const Box& box, std::int64_t height, std::int64_t width,
                            double threshold) {
    const at::Tensor pixels = (pastedMask(mask, box, height, width) > threshold).to(at::kByte).contiguous();
    return runlength::fromPixels(pixels.data_ptr<std::uint8_t>(), int(width), int(height));
}

} // namespace trainyard
