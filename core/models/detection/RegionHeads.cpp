#include "core/models/detection/RegionHeads.h"

#include "core/nn/Autocast.h"

#include <torch/nn/module.h>

#include <limits>

namespace trainyard {
namespace {

std::vector<at::Tensor> boxesOf(const std::vector<RoiSample>& samples) {
    std::vector<at::Tensor> boxes;
    for (const RoiSample& sample : samples)
        boxes.push_back(sample.boxes);
    return boxes;
}

std::vector<at::Tensor> boxesOf(const std::vector<FoundObjects>& images) {
    std::vector<at::Tensor> all;
    for (const FoundObjects& image : images) {
        std::vector<float> corners;
        for (const Detection& found : image.detections)
            corners.insert(corners.end(), {found.box.x1, found.box.y1, found.box.x2, found.box.y2});
        all.push_back(at::tensor(corners, at::kFloat).reshape({-1, 4}));
    }
    return all;
}

at::Tensor labelsOf(const FoundObjects& image) {
    std::vector<std::int64_t> labels;
    for (const Detection& found : image.detections)
        labels.push_back(found.label);
    return at::tensor(labels, at::kLong);
}

/// The part of each image, in the order of `counts`.
std::vector<at::Tensor> split(const at::Tensor& all, const std::vector<at::Tensor>& boxes) {
    std::vector<std::int64_t> counts;
    for (const at::Tensor& own : boxes)
        counts.push_back(own.size(0));
    return at::split_with_sizes(all, counts);
}

} // namespace

RegionHeads::RegionHeads(const RcnnConfig& config, const RcnnParts& parts, const DetectorBody& body)
    : m_convention(conventionOf(config.convention)), m_sampling(samplingRulesOf(config)),
      m_detection(detectionRulesOf(config)), m_oksSuppression(parts.hasKeypoints ? config.keypoint.oksSuppression : 0),
      m_pooler({config.box.pooling, config.box.resolution, config.box.samples, body.strides(), m_convention}) {
    if (parts.votes) {
        PositionSensitiveHeadShape shape{
            body.channels(), config.rfcn.channels, config.classes, config.box.classAgnostic, {}};
        shape.pooling.bins = config.rfcn.bins;
        shape.pooling.scale = 1.0 / double(body.strides().front());
        m_votes = register_module("box_predictor", std::make_shared<PositionSensitiveHead>(shape));
    } else {
        m_boxHead = register_module("box_head", makeBoxHead(config, body));
        m_boxPredictor =
            register_module("box_predictor", std::make_shared<BoxPredictor>(m_boxHead->outputs(), config.classes,
                                                                            config.box.classAgnostic));
    }
    if (parts.hasMasks)
        m_masks.emplace(*this, config, body,
                        config.mask.head == "shared_stage" ? std::dynamic_pointer_cast<StageBoxHead>(m_boxHead)
                                                           : nullptr);
    if (parts.hasKeypoints)
        m_keypoints.emplace(*this, config, body);
}

RegionHeads::Seen RegionHeads::look(const std::vector<at::Tensor>& levels, const at::Tensor& rois) {
    if (m_votes)
        return {m_votes->forward(levels.front(), rois), {}};
    const at::Tensor regions = m_pooler(levels, rois);
    if (!m_masks || !m_masks->sharesStage())
        return {m_boxPredictor->forward(m_boxHead->forward(regions)), {}};
    const at::Tensor maps = std::static_pointer_cast<StageBoxHead>(m_boxHead)->maps(regions);
    return {m_boxPredictor->forward(StageBoxHead::meanOf(maps)), maps};
}

Model::Losses RegionHeads::losses(const std::vector<at::Tensor>& levels, const std::vector<at::Tensor>& proposals,
                                  const std::vector<ImageTruth>& images, Random& random) {
    std::vector<RoiSample> samples;
    std::vector<at::Tensor> own;
    for (std::size_t i = 0; i < images.size(); ++i) {
        own.push_back(proposals[i].to(at::kCPU));
        samples.push_back(sampleRois(own.back(), images[i].objects, m_sampling, random));
    }
    const at::Device device = levels.front().device();
    const Seen seen = look(levels, roisOf(boxesOf(samples)).to(device));
    Model::Losses losses;
    {
        const Autocast plain(false);
        losses = boxLosses(seen.boxes, samples, m_convention);
        m_accuracy = boxAccuracy(seen.boxes, samples);
    }
    if (m_masks)
        losses.emplace_back("loss_mask", maskLoss(levels, seen, samples, images));
    if (m_keypoints) {
        const auto regions = m_keypoints->regions(samples, own, images, random);
        const torch::Tensor logits = m_keypoints->logits(levels, roisOf(boxesOf(regions)).to(device));
        const Autocast plain(false);
        losses.emplace_back(m_keypoints->lossName(), m_keypoints->loss(logits, regions, images));
    }
    return losses;
}

torch::Tensor RegionHeads::maskLoss(const std::vector<at::Tensor>& levels, const Seen& seen,
                                    const std::vector<RoiSample>& samples, const std::vector<ImageTruth>& images) {
    std::vector<RoiSample> objects;
    std::vector<at::Tensor> labels;
    for (const RoiSample& sample : samples) {
        objects.push_back(objectsAmong(sample));
        labels.push_back(sample.labels);
    }
    torch::Tensor logits;
    if (seen.maps.defined()) {
        const at::Tensor rows = at::nonzero(at::cat(labels) > 0).squeeze(1).to(seen.maps.device());
        logits = m_masks->logitsOfMaps(seen.maps.index_select(0, rows));
    } else {
        logits = m_masks->logits(levels, roisOf(boxesOf(objects)).to(levels.front().device()));
    }
    const Autocast plain(false);
    return m_masks->loss(logits, objects, images);
}

std::vector<FoundObjects> RegionHeads::boxes(const std::vector<at::Tensor>& levels,
                                             const std::vector<at::Tensor>& proposals,
                                             const std::vector<PictureSize>& pictures, const BoxDetectionRules& rules) {
    const Seen seen = look(levels, roisOf(proposals).to(levels.front().device()));
    const Autocast plain(false);
    const auto logits = split(seen.boxes.logits, proposals), offsets = split(seen.boxes.offsets, proposals);
    std::vector<FoundObjects> images(proposals.size());
    for (std::size_t i = 0; i < images.size(); ++i)
        images[i].detections = detectionsOf({logits[i], offsets[i]}, proposals[i], pictures[i], rules);
    return images;
}

std::vector<FoundObjects> RegionHeads::find(const std::vector<at::Tensor>& levels,
                                            const std::vector<at::Tensor>& proposals,
                                            const std::vector<PictureSize>& pictures) {
    std::vector<FoundObjects> images = boxes(levels, proposals, pictures, m_detection);
    addMaps(levels, images);
    return images;
}

std::vector<FoundObjects> RegionHeads::candidates(const std::vector<at::Tensor>& levels,
                                                  const std::vector<at::Tensor>& proposals,
                                                  const std::vector<PictureSize>& pictures) {
    BoxDetectionRules all = m_detection;
    all.nmsIou = 2; // no overlap is more
    all.mostDetections = std::numeric_limits<std::int64_t>::max();
    all.softening.reset();
    all.voting.reset();
    return boxes(levels, proposals, pictures, all);
}

SuppressionRules RegionHeads::suppression() const {
    SuppressionRules rules{m_detection.nmsIou, m_detection.mostDetections, m_detection.softening, m_detection.voting,
                           m_oksSuppression};
    if (rules.softening) // of boxes by their edges
        rules.softening->convention = BoxConvention::Torchvision;
    if (rules.voting)
        rules.voting->convention = BoxConvention::Torchvision;
    return rules;
}

void RegionHeads::addMaps(const std::vector<at::Tensor>& levels, std::vector<FoundObjects>& images) {
    if (m_masks)
        addMasks(levels, images);
    if (m_keypoints)
        addKeypoints(levels, images);
}

void RegionHeads::addMasks(const std::vector<at::Tensor>& levels, std::vector<FoundObjects>& images) {
    const std::vector<at::Tensor> boxes = boxesOf(images);
    const torch::Tensor logits = m_masks->logits(levels, roisOf(boxes).to(levels.front().device()));
    const Autocast plain(false);
    const auto own = split(logits, boxes);
    for (std::size_t i = 0; i < images.size(); ++i)
        images[i].masks = m_masks->probabilities(own[i], labelsOf(images[i]));
}

void RegionHeads::addKeypoints(const std::vector<at::Tensor>& levels, std::vector<FoundObjects>& images) {
    const std::vector<at::Tensor> boxes = boxesOf(images);
    const torch::Tensor logits = m_keypoints->logits(levels, roisOf(boxes).to(levels.front().device())).cpu();
    const auto own = split(logits, boxes);
    for (std::size_t i = 0; i < images.size(); ++i)
        images[i].keypoints = own[i];
}

} // namespace trainyard
