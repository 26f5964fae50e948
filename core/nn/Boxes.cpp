#include "core/nn/Boxes.h"

#include <torch/nn/module.h>

namespace trainyard {
namespace {

/// Centre and size of boxes [K, 4], each [K].
struct Centred {
    at::Tensor x, y, width, height;

    explicit Centred(const at::Tensor& boxes)
        : width(boxes.select(1, 2) - boxes.select(1, 0)), height(boxes.select(1, 3) - boxes.select(1, 1)) {
        x = boxes.select(1, 0) + 0.5 * width;
        y = boxes.select(1, 1) + 0.5 * height;
    }
};

at::Tensor areaOf(const at::Tensor& boxes) {
    return (boxes.select(1, 2) - boxes.select(1, 0)) * (boxes.select(1, 3) - boxes.select(1, 1));
}

} // namespace

at::Tensor toEdges(const at::Tensor& boxes, BoxConvention convention) {
    if (convention == BoxConvention::Torchvision)
        return boxes;
    return boxes + at::tensor({0, 0, 1, 1}, boxes.options());
}

at::Tensor fromEdges(const at::Tensor& boxes, BoxConvention convention) {
    if (convention == BoxConvention::Torchvision)
        return boxes;
    return boxes - at::tensor({0, 0, 1, 1}, boxes.options());
}

at::Tensor pairwiseIou(const at::Tensor& ofA, const at::Tensor& ofB, BoxConvention convention) {
    const at::Tensor a = toEdges(ofA, convention), b = toEdges(ofB, convention);
    const at::Tensor topLeft = at::maximum(a.unsqueeze(1).slice(2, 0, 2), b.slice(1, 0, 2));
    const at::Tensor bottomRight = at::minimum(a.unsqueeze(1).slice(2, 2, 4), b.slice(1, 2, 4));
    const at::Tensor size = (bottomRight - topLeft).clamp_min(0);
    const at::Tensor shared = size.select(2, 0) * size.select(2, 1);
    return shared / (areaOf(a).unsqueeze(1) + areaOf(b) - shared);
}

at::Tensor BoxCoder::encode(const at::Tensor& boxes, const at::Tensor& references) const {
    const Centred box(toEdges(boxes, convention)), reference(toEdges(references, convention));
    return at::stack(
        {weights[0] * (box.x - reference.x) / reference.width, weights[1] * (box.y - reference.y) / reference.height,
         weights[2] * at::log(box.width / reference.width), weights[3] * at::log(box.height / reference.height)},
        1);
}

at::Tensor BoxCoder::decode(const at::Tensor& offsets, const at::Tensor& references) const {
    const Centred reference(toEdges(references, convention));
    const at::Tensor x = offsets.select(1, 0) / weights[0] * reference.width + reference.x;
    const at::Tensor y = offsets.select(1, 1) / weights[1] * reference.height + reference.y;
    const at::Tensor halfWidth =
        0.5 * reference.width * at::exp((offsets.select(1, 2) / weights[2]).clamp_max(largestLogSize));
    const at::Tensor halfHeight =
        0.5 * reference.height * at::exp((offsets.select(1, 3) / weights[3]).clamp_max(largestLogSize));
    return fromEdges(at::stack({x - halfWidth, y - halfHeight, x + halfWidth, y + halfHeight}, 1), convention);
}

} // namespace trainyard
