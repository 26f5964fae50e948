#include "core/models/detection/ImageTruth.h"

#include <ATen/ATen.h>

#include <cmath>

namespace trainyard {
namespace {

/// The target of that name as a plain CPU tensor; undefined where there is none.
at::Tensor plain(const Batch& batch, const char* name, at::ScalarType type) {
    const auto found = batch.targets.find(name);
    return found == batch.targets.end() ? at::Tensor() : found->second.to(at::kCPU, type).contiguous();
}

void checkLabels(const at::Tensor& labels, std::int64_t classes) {
    const at::Tensor wrong = labels.masked_select((labels < 0).logical_or(labels >= classes));
    TORCH_CHECK(wrong.numel() == 0, "A box has label ", wrong.numel() > 0 ? wrong[0].item<std::int64_t>() : 0,
                ", but the model has ", classes, " classes.");
}

std::vector<std::int64_t> numbers(const at::Tensor& tensor) {
    return {tensor.data_ptr<std::int64_t>(), tensor.data_ptr<std::int64_t>() + tensor.numel()};
}

} // namespace

std::vector<ImageTruth> truthOf(const Batch& batch, BoxConvention convention, std::int64_t classes) {
    const at::Tensor boxes = fromEdges(plain(batch, "boxes", at::kFloat), convention);
    const at::Tensor labels = plain(batch, "labels", at::kLong), keypoints = plain(batch, "keypoints", at::kFloat);
    at::Tensor crowd = plain(batch, "crowd", at::kBool);
    if (!crowd.defined())
        crowd = at::zeros({labels.size(0)}, at::kBool);
    if (classes > 0)
        checkLabels(labels, classes);
    const std::vector<PictureSize> pictures = picturesOf(batch);
    std::vector<ImageTruth> images;
    std::int64_t begin = 0;
    for (const std::int64_t count : numbers(plain(batch, "counts", at::kLong))) {
        const auto own = [&](const at::Tensor& all) { return all.slice(0, begin, begin + count).contiguous(); };
        const PictureSize picture = images.size() < pictures.size() ? pictures[images.size()] : PictureSize{};
        ImageTruth image{{own(boxes), own(labels), own(crowd), picture.height, picture.width}, {}, {}};
        if (keypoints.defined())
            image.keypoints = own(keypoints);
        if (!batch.shapes.empty())
            image.shapes.assign(batch.shapes.begin() + begin, batch.shapes.begin() + begin + count);
        images.push_back(std::move(image));
        begin += count;
    }
    return images;
}

std::vector<PictureSize> picturesOf(const Batch& batch) {
    const at::Tensor sizes = plain(batch, "sizes", at::kLong);
    std::vector<PictureSize> pictures;
    for (std::int64_t i = 0; batch.images.defined() && i < batch.images.size(0); ++i) {
        PictureSize picture{double(batch.images.size(2)), double(batch.images.size(3)), 1};
        if (sizes.defined())
            picture = {double(sizes[i][0].item<std::int64_t>()), double(sizes[i][1].item<std::int64_t>()), 1};
        picture.scale = std::abs(sampleOf(batch, std::size_t(i)).scaleX);
        pictures.push_back(picture);
    }
    return pictures;
}

std::vector<at::Tensor> givenProposals(const Batch& batch, BoxConvention convention) {
    const at::Tensor boxes = plain(batch, "proposals", at::kFloat);
    TORCH_CHECK(boxes.defined(), "The data has no proposals, but the model looks at given ones alone.");
    const at::Tensor own = fromEdges(boxes, convention);
    std::vector<at::Tensor> images;
    std::int64_t begin = 0;
    for (const std::int64_t count : numbers(plain(batch, "proposal_counts", at::kLong))) {
        images.push_back(own.slice(0, begin, begin + count).contiguous());
        begin += count;
    }
    return images;
}

SampleInfo sampleOf(const Batch& batch, std::size_t i) {
    return i < batch.samples.size() ? batch.samples[i] : SampleInfo{};
}

} // namespace trainyard
