#include "core/models/detection/KeypointBranch.h"

#include "core/models/detection/BalancedSample.h"
#include "core/models/detection/KeypointTargets.h"
#include "core/models/detection/RcnnRules.h"

#include <torch/nn/module.h>

#include <cmath>
#include <limits>

namespace trainyard {
namespace {

RoiSample rowsOf(const RoiSample& sample, const at::Tensor& rows) {
    return {sample.boxes.index_select(0, rows), sample.labels.index_select(0, rows),
            sample.owners.index_select(0, rows), sample.offsets.index_select(0, rows)};
}

/// `most` of the regions of one image that hold a visible keypoint of their object.
RoiSample drawn(const at::Tensor& proposals, const ImageTruth& image, RoiSamplingRules rules, Random& random) {
    const auto most = std::int64_t(std::nearbyint(double(rules.regionsAnImage) * rules.foregroundShare));
    rules.regionsAnImage = std::numeric_limits<std::int32_t>::max();
    rules.foregroundShare = 1;
    const RoiSample all = objectsAmong(sampleRois(proposals, image.objects, rules, random));
    if (all.owners.size(0) == 0)
        return all;
    const at::Tensor labels =
        holdsVisibleKeypoint(image.keypoints.index_select(0, all.owners), all.boxes).to(at::kLong).contiguous();
    const auto sample =
        drawBalanced({labels.data_ptr<std::int64_t>(), std::size_t(labels.size(0))}, most, most, random);
    return rowsOf(all, at::tensor(sample.positives, at::kLong));
}

} // namespace

RoiSample objectsAmong(const RoiSample& sample) {
    return rowsOf(sample, at::nonzero(sample.labels > 0).squeeze(1));
}

KeypointBranch::KeypointBranch(torch::nn::Module& heads, const RcnnConfig& config, const DetectorBody& body)
    : m_config(config.keypoint), m_convention(conventionOf(config.convention)), m_sampling(samplingRulesOf(config)),
      m_pooler({"align", m_config.resolution, m_config.samples, body.strides(), m_convention}),
      m_head(heads.register_module(
          "keypoint_head", std::make_shared<KeypointHead>(body.channels(), m_config.channels, m_config.convolutions))),
      m_predictor(heads.register_module("keypoint_predictor",
                                        std::make_shared<KeypointPredictor>(m_config.channels, m_config.keypoints))) {}

torch::Tensor KeypointBranch::logits(const std::vector<at::Tensor>& levels, const at::Tensor& rois) {
    return m_predictor->forward(m_head->forward(m_pooler(levels, rois)));
}

std::vector<RoiSample> KeypointBranch::regions(const std::vector<RoiSample>& samples,
                                               const std::vector<at::Tensor>& proposals,
                                               const std::vector<ImageTruth>& images, Random& random) const {
    std::vector<RoiSample> regions;
    for (std::size_t i = 0; i < samples.size(); ++i) {
        TORCH_CHECK(images[i].keypoints.defined(), "The data has no keypoints, but the model is to learn them.");
        regions.push_back(m_convention == BoxConvention::Torchvision
                              ? objectsAmong(samples[i])
                              : drawn(proposals[i], images[i], m_sampling, random));
    }
    return regions;
}

torch::Tensor KeypointBranch::loss(const torch::Tensor& logits, const std::vector<RoiSample>& objects,
                                   const std::vector<ImageTruth>& images) const {
    std::vector<at::Tensor> keypoints, boxes;
    for (std::size_t i = 0; i < images.size(); ++i) {
        keypoints.push_back(images[i].keypoints.index_select(0, objects[i].owners));
        boxes.push_back(objects[i].boxes);
    }
    KeypointTargets targets = keypointTargets(at::cat(keypoints), at::cat(boxes), logits.size(2));
    targets = {targets.cells.to(logits.device()), targets.isCounted.to(logits.device())};
    const double all = double(images.size()) * double(m_sampling.regionsAnImage) * m_sampling.foregroundShare *
                       double(m_config.keypoints);
    return keypointLoss(logits, targets, m_config.normaliseByVisible ? 0 : all) * m_config.lossWeight;
}

} // namespace trainyard
