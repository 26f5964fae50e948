#pragma once

#include "core/config/RcnnConfig.h"
#include "core/models/detection/BoxLayers.h"
#include "core/models/detection/DetectorBody.h"
#include "core/models/detection/KeypointBranch.h"
#include "core/models/detection/MaskBranch.h"
#include "core/models/detection/PositionSensitiveHead.h"
#include "core/models/detection/RcnnRules.h"
#include "core/models/detection/RegionPooler.h"
#include "core/models/detection/Suppression.h"

#include <torch/nn/module.h>

#include <memory>
#include <optional>
#include <vector>

namespace trainyard {

/// What is found in one image, in network pixels and in the convention of the model.
struct FoundObjects {
    std::vector<Detection> detections;
    at::Tensor masks;     ///< float [D, M, M] probabilities; undefined without
    at::Tensor keypoints; ///< float [D, K, S, S] logits; undefined without
};

/// Everything that looks at regions: box_head and box_predictor, or position-sensitive maps as box_predictor, and the
/// branches for masks and keypoints, named as torchvision's roi_heads.
class RegionHeads final : public torch::nn::Module {
public:
    RegionHeads(const RcnnConfig& config, const RcnnParts& parts, const DetectorBody& body);

    /// `proposals` is float [K, 4] an image, in the model's convention.
    Model::Losses losses(const std::vector<at::Tensor>& levels, const std::vector<at::Tensor>& proposals,
                         const std::vector<ImageTruth>& images, Random& random);
    std::vector<FoundObjects> find(const std::vector<at::Tensor>& levels, const std::vector<at::Tensor>& proposals,
                                   const std::vector<PictureSize>& pictures);
    /// What `find` finds before suppression, without masks and keypoints.
    std::vector<FoundObjects> candidates(const std::vector<at::Tensor>& levels,
                                         const std::vector<at::Tensor>& proposals,
                                         const std::vector<PictureSize>& pictures);
    SuppressionRules suppression() const;
    /// Masks and keypoints of what was found.
    void addMaps(const std::vector<at::Tensor>& levels, std::vector<FoundObjects>& images);
    /// The share of regions that the last `losses` found the class of; below 0 before.
    double accuracy() const { return m_accuracy; }
    double maskThreshold() const { return m_masks ? m_masks->threshold() : 0.5; }

private:
    struct Seen {
        BoxOutput boxes;
        at::Tensor maps; ///< of the stage that the mask branch shares; undefined without one
    };
    std::vector<FoundObjects> boxes(const std::vector<at::Tensor>& levels, const std::vector<at::Tensor>& proposals,
                                    const std::vector<PictureSize>& pictures, const BoxDetectionRules& rules);
    Seen look(const std::vector<at::Tensor>& levels, const at::Tensor& rois);
    torch::Tensor maskLoss(const std::vector<at::Tensor>& levels, const Seen& seen,
                           const std::vector<RoiSample>& samples, const std::vector<ImageTruth>& images);
    void addMasks(const std::vector<at::Tensor>& levels, std::vector<FoundObjects>& images);
    void addKeypoints(const std::vector<at::Tensor>& levels, std::vector<FoundObjects>& images);

    BoxConvention m_convention;
    RoiSamplingRules m_sampling;
    BoxDetectionRules m_detection;
    double m_oksSuppression;
    RegionPooler m_pooler;
    std::shared_ptr<BoxHead> m_boxHead;
    std::shared_ptr<BoxPredictor> m_boxPredictor;
    std::shared_ptr<PositionSensitiveHead> m_votes; ///< in place of these two
    std::optional<MaskBranch> m_masks;
    std::optional<KeypointBranch> m_keypoints;
    double m_accuracy = -1;
};

} // namespace trainyard
