#pragma once

#include "core/config/RcnnConfig.h"
#include "core/models/detection/BoxLayers.h"
#include "core/models/detection/DetectorBody.h"
#include "core/models/detection/ImageTruth.h"
#include "core/models/detection/MaskHead.h"
#include "core/models/detection/RegionPooler.h"

#include <memory>
#include <vector>

namespace trainyard {

/// The part of a detector that draws outlines: it reads regions, looks at them with convolutions, a last stage of its
/// own or the box head's, and has a mask for each class. Its modules are children of the region heads: mask_head and
/// mask_predictor. Source: He et al. 2017, "Mask R-CNN".
class MaskBranch {
public:
    /// `heads` takes the modules in; `shared` is the box head's stage, null where there is none.
    MaskBranch(torch::nn::Module& heads, const RcnnConfig& config, const DetectorBody& body,
               std::shared_ptr<StageBoxHead> shared);

    bool sharesStage() const { return m_shared != nullptr; }
    /// Logits float32 [R, masks, M, M] of `rois` [R, 5]; what the shared stage made of them is made anew.
    torch::Tensor logits(const std::vector<at::Tensor>& levels, const at::Tensor& rois);
    /// The same of regions that the shared stage has seen already: `maps` [R, C, H, W].
    torch::Tensor logitsOfMaps(const torch::Tensor& maps);

    /// The weighted loss of the objects' regions of all images, in the order of `logits`.
    torch::Tensor loss(const torch::Tensor& logits, const std::vector<RoiSample>& objects,
                       const std::vector<ImageTruth>& images) const;
    /// The probability of each cell for each region's own class [R]: float [R, M, M] on the CPU.
    at::Tensor probabilities(const torch::Tensor& logits, const at::Tensor& labels) const;
    double threshold() const { return m_config.threshold; }

private:
    MaskHeadConfig m_config;
    BoxConvention m_convention;
    RegionPooler m_pooler;
    std::shared_ptr<MaskHead> m_head;       ///< or else one of the next two
    std::shared_ptr<StageBoxHead> m_stage;  ///< of its own
    std::shared_ptr<StageBoxHead> m_shared; ///< the box head's
    std::shared_ptr<MaskPredictor> m_predictor;
};

} // namespace trainyard
