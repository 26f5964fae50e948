#include "core/models/detection/BoxHead.h"

#include "core/nn/Nms.h"
#include "core/nn/RegressionLoss.h"

#include <torch/nn/module.h>

#include <algorithm>

namespace trainyard {
namespace {

constexpr double kLeastDetectionSide = 1e-2; // of a detection, in torchvision's convention

/// All samples' values one after the other, on the device of `like`.
at::Tensor together(const std::vector<RoiSample>& samples, at::Tensor RoiSample::*member, const at::Tensor& like) {
    std::vector<at::Tensor> all;
    for (const RoiSample& sample : samples)
        all.push_back(sample.*member);
    return at::cat(all).to(like.device());
}

/// Offsets [R, 4 × G] as [R, G, 4].
at::Tensor byClass(const at::Tensor& offsets) {
    return offsets.reshape({offsets.size(0), offsets.size(1) / 4, 4});
}

/// Boxes of each class, [R × K, 4], cut off at the picture.
at::Tensor decoded(const at::Tensor& offsets, const at::Tensor& regions, std::int64_t classes,
                   const PictureSize& picture, const BoxDetectionRules& rules) {
    const at::Tensor groups = byClass(offsets);
    const bool isShared = groups.size(1) == 2;
    const at::Tensor own = isShared ? groups.slice(1, 1, 2).expand({groups.size(0), classes, 4}) : groups.slice(1, 1);
    const at::Tensor references = regions.unsqueeze(1).expand_as(own);
    const BoxCoder coder{rules.boxWeights, BoxCoder{}.largestLogSize, rules.convention};
    const at::Tensor boxes = coder.decode(own.reshape({-1, 4}), references.reshape({-1, 4}));
    return cutOff(boxes, picture, rules.convention);
}

ScoredBoxes chosen(const ScoredBoxes& all, const at::Tensor& rows) {
    return {all.boxes.index_select(0, rows), all.scores.index_select(0, rows), all.labels.index_select(0, rows)};
}

/// Every class of every region that is likely enough.
ScoredBoxes candidatesOf(const BoxOutput& output, const at::Tensor& regions, const PictureSize& picture,
                         const BoxDetectionRules& rules) {
    const std::int64_t classes = output.logits.size(1) - 1;
    const at::Tensor scores = output.logits.detach().cpu().softmax(1).slice(1, 1).reshape(-1);
    const at::Tensor boxes = decoded(output.offsets.detach().cpu(), regions.cpu(), classes, picture, rules);
    at::Tensor isLikely = scores > rules.scoreThreshold;
    if (rules.convention == BoxConvention::Torchvision)
        isLikely = isLikely.logical_and(boxes.select(1, 2) - boxes.select(1, 0) >= kLeastDetectionSide)
                       .logical_and(boxes.select(1, 3) - boxes.select(1, 1) >= kLeastDetectionSide);
    const at::Tensor rows = at::nonzero(isLikely).squeeze(1);
    return {boxes.index_select(0, rows), scores.index_select(0, rows), rows.remainder(classes)};
}

/// What suppression and voting leave, best first.
ScoredBoxes kept(const ScoredBoxes& all, const BoxDetectionRules& rules) {
    ScoredBoxes left;
    if (rules.softening) {
        const Rescored rescored = softNms(all.boxes, all.scores, all.labels, *rules.softening);
        left = chosen(all, rescored.rows);
        left.scores = rescored.scores;
    } else {
        left = chosen(all, batchedNms(all.boxes, all.scores, all.labels, rules.nmsIou, rules.convention));
    }
    if (!rules.voting)
        return left;
    left = voteBoxes(left, all, *rules.voting);
    return chosen(left, std::get<1>(at::sort(left.scores, /*stable=*/true, 0, /*descending=*/true)));
}

/// How many of the `scores`, best first, are kept.
std::int64_t countKept(const at::Tensor& scores, const BoxDetectionRules& rules) {
    const std::int64_t all = scores.size(0);
    std::int64_t count = std::min(all, rules.mostDetections);
    if (rules.convention == BoxConvention::Detectron)
        while (count > 0 && count < all && scores[count].item<float>() == scores[count - 1].item<float>())
            ++count;
    return count;
}

} // namespace

TwoLayerHead::TwoLayerHead(std::int64_t in, std::int64_t width)
    : m_width(width), m_fc6(register_module("fc6", std::make_shared<Dense>(in, width))),
      m_fc7(register_module("fc7", std::make_shared<Dense>(width, width))) {}

torch::Tensor TwoLayerHead::forward(const torch::Tensor& regions) {
    return m_fc7->forward(m_fc6->forward(regions.flatten(1)).relu_()).relu_();
}

BoxPredictor::BoxPredictor(std::int64_t in, std::int64_t classes, bool isClassAgnostic)
    : m_scores(register_module("cls_score", std::make_shared<Dense>(in, 1 + classes))),
      m_offsets(register_module("bbox_pred", std::make_shared<Dense>(in, isClassAgnostic ? 8 : 4 * (1 + classes)))) {}

BoxOutput BoxPredictor::forward(const torch::Tensor& regions) {
    return {m_scores->forward(regions).to(torch::kFloat), m_offsets->forward(regions).to(torch::kFloat)};
}

Model::Losses boxLosses(const BoxOutput& output, const std::vector<RoiSample>& samples, BoxConvention convention) {
    const bool isDetectron = convention == BoxConvention::Detectron;
    const at::Tensor labels = together(samples, &RoiSample::labels, output.logits);
    const at::Tensor offsets = together(samples, &RoiSample::offsets, output.logits);
    const double regions = double(std::max<std::int64_t>(1, labels.size(0)));
    const at::Tensor objects = at::nonzero(labels > 0).squeeze(1), own = labels.index_select(0, objects);
    const at::Tensor groups = byClass(output.offsets);
    const at::Tensor columns = groups.size(1) == 2 ? at::ones_like(own) : own;
    const at::Tensor distance =
        weightedL1Loss(groups.index({objects, columns}), offsets.index_select(0, objects),
                       at::ones({objects.size(0)}, output.offsets.options()), isDetectron ? 1.0 : 1.0 / 9);
    const at::Tensor entropy = at::cross_entropy_loss(output.logits, labels, {}, at::Reduction::Sum);
    return {{isDetectron ? "loss_cls" : "loss_classifier", entropy / regions},
            {isDetectron ? "loss_bbox" : "loss_box_reg", distance / regions}};
}

double boxAccuracy(const BoxOutput& output, const std::vector<RoiSample>& samples) {
    const at::Tensor labels = together(samples, &RoiSample::labels, output.logits);
    return labels.size(0) == 0 ? 0 : (output.logits.argmax(1) == labels).to(at::kDouble).mean().item<double>();
}

std::vector<Detection> detectionsOf(const BoxOutput& output, const at::Tensor& regions, const PictureSize& picture,
                                    const BoxDetectionRules& rules) {
    const torch::NoGradGuard noGradients;
    const ScoredBoxes found = kept(candidatesOf(output, regions, picture, rules), rules);
    const at::Tensor boxes = found.boxes.contiguous();
    std::vector<Detection> detections;
    for (std::int64_t i = 0; i < countKept(found.scores, rules); ++i) {
        const float* corner = boxes.data_ptr<float>() + 4 * i;
        Detection detection;
        detection.label = int(found.labels[i].item<std::int64_t>());
        detection.score = found.scores[i].item<float>();
        detection.box = {corner[0], corner[1], corner[2], corner[3]};
        detections.push_back(detection);
    }
    return detections;
}

} // namespace trainyard
