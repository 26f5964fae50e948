#pragma once

#include "core/config/RcnnConfig.h"
#include "core/models/detection/DetectorBody.h"
#include "core/models/detection/ImageTruth.h"
#include "core/models/detection/KeypointHead.h"
#include "core/models/detection/RegionPooler.h"
#include "core/models/detection/RoiSampling.h"

#include <memory>
#include <vector>

namespace trainyard {

/// The part of a detector that finds keypoints: it reads regions, looks at them with convolutions and has a heat map
/// for each keypoint. Its modules are children of the region heads: keypoint_head and keypoint_predictor.
/// Source: He et al. 2017, "Mask R-CNN", section 5.
class KeypointBranch {
public:
    KeypointBranch(torch::nn::Module& heads, const RcnnConfig& config, const DetectorBody& body);

    /// Float32 [R, K, S, S] of `rois` [R, 5].
    torch::Tensor logits(const std::vector<at::Tensor>& levels, const at::Tensor& rois);

    /// The regions to learn from. Torchvision: the objects' among `samples`. Detectron: of all regions that show an
    /// object some visible keypoint of which they hold, some drawn as many as of objects at most.
    std::vector<RoiSample> regions(const std::vector<RoiSample>& samples, const std::vector<at::Tensor>& proposals,
                                   const std::vector<ImageTruth>& images, Random& random) const;
    /// The weighted loss of these regions, in the order of `logits`.
    torch::Tensor loss(const torch::Tensor& logits, const std::vector<RoiSample>& objects,
                       const std::vector<ImageTruth>& images) const;
    const char* lossName() const { return m_convention == BoxConvention::Detectron ? "loss_kps" : "loss_keypoint"; }

private:
    KeypointHeadConfig m_config;
    BoxConvention m_convention;
    RoiSamplingRules m_sampling;
    RegionPooler m_pooler;
    std::shared_ptr<KeypointHead> m_head;
    std::shared_ptr<KeypointPredictor> m_predictor;
};

/// The regions of `sample` that show objects.
RoiSample objectsAmong(const RoiSample& sample);

} // namespace trainyard
