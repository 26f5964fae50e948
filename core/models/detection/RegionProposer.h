#pragma once

#include "core/config/RcnnConfig.h"
#include "core/models/detection/AnchorGrid.h"
#include "core/models/detection/DetectorBody.h"
#include "core/models/detection/Proposals.h"
#include "core/models/detection/RpnTargets.h"

#include <torch/nn/module.h>

#include <memory>
#include <vector>

namespace trainyard {

/// The network that proposes regions, with its anchors and rules: child "head", as torchvision's rpn.
/// Source: Ren et al. 2015, "Faster R-CNN".
class RegionProposer final : public torch::nn::Module {
public:
    RegionProposer(const RcnnConfig& config, const DetectorBody& body);

    struct Judged {
        RpnOutput output;
        at::Tensor anchors; ///< [R, 4] on the CPU
    };
    /// `input` is the size of the images that the levels were made of.
    Judged judge(const std::vector<at::Tensor>& levels, AnchorGrid::Size input);

    /// Those to train on in train mode, else those to predict with.
    std::vector<ImageProposals> proposals(const Judged& judged, const std::vector<PictureSize>& pictures) const;
    Model::Losses losses(const Judged& judged, const std::vector<ImageObjects>& images, Random& random) const;

private:
    AnchorGrid m_grid;
    RpnRules m_rules;
    ProposalRules m_training, m_predicting;
    std::shared_ptr<RpnHead> m_head;
};

} // namespace trainyard
