#include "core/models/detection/KeypointHead.h"

#include <torch/nn/module.h>

#include <algorithm>
#include <cmath>

namespace trainyard {

KeypointHead::KeypointHead(std::int64_t in, std::int64_t width, std::int64_t convolutions) {
    for (std::int64_t i = 0; i < convolutions; ++i)
        m_convolutions.push_back(
            register_module(std::to_string(2 * i), // every second is a ReLU
                            std::make_shared<Convolution>(Convolution::Shape{i == 0 ? in : width, width, 3})));
}

torch::Tensor KeypointHead::forward(torch::Tensor regions) {
    for (const auto& convolution : m_convolutions)
        regions = convolution->forward(regions).relu_();
    return regions;
}

KeypointPredictor::KeypointPredictor(std::int64_t in, std::int64_t keypoints)
    : m_doubling(register_module("kps_score_lowres",
                                 std::make_shared<Deconvolution>(Deconvolution::Shape{in, keypoints, 4, 2, 1}))) {}

torch::Tensor KeypointPredictor::forward(const torch::Tensor& regions) {
    const torch::Tensor maps = m_doubling->forward(regions).to(torch::kFloat);
    return at::upsample_bilinear2d(maps, {2 * maps.size(2), 2 * maps.size(3)}, false);
}

at::Tensor keypointsOf(const at::Tensor& logits, const at::Tensor& regions) {
    const at::Tensor maps = logits.detach().to(at::kCPU, at::kFloat);
    const at::Tensor boxes = regions.detach().to(at::kCPU, at::kFloat).contiguous();
    const at::Tensor found = at::zeros({maps.size(0), maps.size(1), 3});
    for (std::int64_t r = 0; r < maps.size(0); ++r) {
        const float* box = boxes.data_ptr<float>() + 4 * r;
        const float width = std::max(box[2] - box[0], 1.F), height = std::max(box[3] - box[1], 1.F);
        const auto columns = std::int64_t(std::ceil(width)), rows = std::int64_t(std::ceil(height));
        const auto best = at::upsample_bicubic2d(maps[r].unsqueeze(1), {rows, columns}, false).flatten(1).max(1);
        const at::Tensor place = std::get<1>(best), x = place.remainder(columns);
        const at::Tensor y = (place - x).to(at::kFloat) / double(columns);
        found[r].select(1, 0).copy_((x + 0.5) * double(width / float(columns)) + double(box[0]));
        found[r].select(1, 1).copy_((y + 0.5) * double(height / float(rows)) + double(box[1]));
        found[r].select(1, 2).copy_(std::get<0>(best));
    }
    return found;
}

} // namespace trainyard
