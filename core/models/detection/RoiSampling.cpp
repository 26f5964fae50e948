#include "core/models/detection/RoiSampling.h"

#include "core/models/detection/BalancedSample.h"

#include <ATen/ATen.h>

#include <algorithm>
#include <cmath>

namespace trainyard {
namespace {

/// [A, B]: the share of each box of `a` that lies in each of `b`.
at::Tensor shareInside(const at::Tensor& ofA, const at::Tensor& ofB, BoxConvention convention) {
    const at::Tensor a = toEdges(ofA, convention), b = toEdges(ofB, convention);
    const at::Tensor topLeft = at::maximum(a.unsqueeze(1).slice(2, 0, 2), b.slice(1, 0, 2));
    const at::Tensor bottomRight = at::minimum(a.unsqueeze(1).slice(2, 2, 4), b.slice(1, 2, 4));
    const at::Tensor size = (bottomRight - topLeft).clamp_min(0);
    const at::Tensor area = (a.select(1, 2) - a.select(1, 0)) * (a.select(1, 3) - a.select(1, 1));
    return size.select(2, 0) * size.select(2, 1) / area.unsqueeze(1);
}

/// What each candidate is, before any is drawn.
struct Assignment {
    at::Tensor labels; ///< int64: class from 1, 0 background, -1 neither
    at::Tensor owners; ///< int64: row of the image's objects, -1 for none
};

Assignment assigned(const at::Tensor& boxes, const ImageObjects& image, const at::Tensor& objects,
                    const RoiSamplingRules& rules) {
    at::Tensor best = at::zeros({boxes.size(0)}), owners = at::full({boxes.size(0)}, -1, at::kLong);
    if (objects.size(0) > 0) {
        const auto found = pairwiseIou(boxes, image.boxes.index_select(0, objects), rules.convention).max(1);
        best = std::get<0>(found);
        owners = objects.index_select(0, std::get<1>(found));
    }
    const at::Tensor isObject = (best >= rules.foregroundIou).logical_and(owners >= 0);
    at::Tensor isBackground = (best < rules.backgroundIou).logical_and(best >= rules.leastBackgroundIou);
    const at::Tensor crowds = image.boxes.index_select(0, at::nonzero(image.isCrowd).squeeze(1));
    if (crowds.size(0) > 0)
        isBackground = isBackground.logical_and(std::get<0>(shareInside(boxes, crowds, rules.convention).max(1)) <=
                                                rules.crowdShare);
    at::Tensor labels = at::where(isBackground, at::zeros_like(owners), at::full_like(owners, -1));
    if (objects.size(0) > 0)
        labels = at::where(isObject, image.labels.index_select(0, owners) + 1, labels);
    return {labels, at::where(isObject, owners, at::full_like(owners, -1))};
}

std::int64_t mostObjects(const RoiSamplingRules& rules) {
    const double exact = double(rules.regionsAnImage) * rules.foregroundShare;
    return std::int64_t(rules.convention == BoxConvention::Detectron ? std::nearbyint(exact) : std::floor(exact));
}

/// Objects first, then background, each rising; or all rising.
at::Tensor rowsOf(const BalancedSample& sample, BoxConvention convention) {
    auto rows = sample.positives;
    rows.insert(rows.end(), sample.negatives.begin(), sample.negatives.end());
    if (convention == BoxConvention::Torchvision)
        std::sort(rows.begin(), rows.end());
    return at::tensor(rows, at::kLong);
}

at::Tensor offsetsOf(const at::Tensor& boxes, const at::Tensor& owners, const ImageObjects& image,
                     const RoiSamplingRules& rules) {
    const at::Tensor offsets = at::zeros_like(boxes), rows = at::nonzero(owners >= 0).squeeze(1);
    const BoxCoder coder{rules.boxWeights, BoxCoder{}.largestLogSize, rules.convention};
    return offsets.index_copy(
        0, rows, coder.encode(image.boxes.index_select(0, owners.index_select(0, rows)), boxes.index_select(0, rows)));
}

} // namespace

RoiSample sampleRois(const at::Tensor& proposals, const ImageObjects& image, const RoiSamplingRules& rules,
                     Random& random) {
    const at::Tensor objects = at::nonzero(image.isCrowd.logical_not()).squeeze(1);
    const at::Tensor own = image.boxes.index_select(0, objects);
    const at::Tensor all =
        (rules.convention == BoxConvention::Detectron ? at::cat({own, proposals}) : at::cat({proposals, own}))
            .contiguous();
    const Assignment assignment = assigned(all, image, objects, rules);
    const at::Tensor labels = assignment.labels.contiguous();
    const auto sample = drawBalanced({labels.data_ptr<std::int64_t>(), std::size_t(labels.size(0))},
                                     rules.regionsAnImage, mostObjects(rules), random);
    const at::Tensor rows = rowsOf(sample, rules.convention);
    const at::Tensor boxes = all.index_select(0, rows), owners = assignment.owners.index_select(0, rows);
    return {boxes, labels.index_select(0, rows), owners, offsetsOf(boxes, owners, image, rules)};
}

at::Tensor roisOf(const std::vector<at::Tensor>& boxes) {
    std::vector<at::Tensor> rois;
    for (std::size_t i = 0; i < boxes.size(); ++i)
        rois.push_back(at::cat({at::full({boxes[i].size(0), 1}, double(i), boxes[i].options()), boxes[i]}, 1));
    return at::cat(rois);
}

} // namespace trainyard
