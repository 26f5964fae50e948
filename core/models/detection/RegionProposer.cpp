#include "core/models/detection/RegionProposer.h"

#include "core/models/detection/RcnnRules.h"

#include <torch/nn/module.h>

namespace trainyard {

RegionProposer::RegionProposer(const RcnnConfig& config, const DetectorBody& body)
    : m_grid(anchorRulesOf(config, body.strides())), m_rules(rpnRulesOf(config)),
      m_training(proposalRulesOf(config, true)), m_predicting(proposalRulesOf(config, false)),
      m_head(register_module("head", std::make_shared<RpnHead>(body.channels(), m_grid.anchorsAPlace()))) {}

RegionProposer::Judged RegionProposer::judge(const std::vector<at::Tensor>& levels, AnchorGrid::Size input) {
    std::vector<AnchorGrid::Size> sizes;
    for (const at::Tensor& level : levels)
        sizes.emplace_back(level.size(2), level.size(3));
    return {m_head->forward(levels), m_grid.anchors(input, sizes, at::kCPU)};
}

std::vector<ImageProposals> RegionProposer::proposals(const Judged& judged,
                                                      const std::vector<PictureSize>& pictures) const {
    return proposalsOf(judged.output, judged.anchors, pictures, is_training() ? m_training : m_predicting);
}

Model::Losses RegionProposer::losses(const Judged& judged, const std::vector<ImageObjects>& images,
                                     Random& random) const {
    const RpnTargets targets = rpnTargets(images, judged.anchors, m_rules, random);
    return rpnLosses(judged.output, targets.to(judged.output.logits.device()), m_rules);
}

} // namespace trainyard
