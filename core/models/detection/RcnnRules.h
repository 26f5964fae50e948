#pragma once

#include "core/config/RunConfig.h"
#include "core/models/detection/AnchorGrid.h"
#include "core/models/detection/BoxHead.h"
#include "core/models/detection/Proposals.h"
#include "core/models/detection/RoiSampling.h"
#include "core/models/detection/RpnTargets.h"

#include <cstdint>
#include <string>
#include <vector>

namespace trainyard {

/// Which parts a detector by regions has, by its type.
struct RcnnParts {
    bool proposes = true; ///< regions by a network of its own
    bool hasBoxes = true; ///< otherwise its proposals are all it says
    bool votes = false;   ///< position-sensitive maps in place of a head of its own for each region
    bool hasMasks = false;
    bool hasKeypoints = false;
};
RcnnParts partsOf(const ModelConfig& model);

// The parts' rules, as the configuration words them.
BoxConvention conventionOf(const std::string& name);
AnchorRules anchorRulesOf(const RcnnConfig& config, const std::vector<std::int64_t>& strides);
RpnRules rpnRulesOf(const RcnnConfig& config);
ProposalRules proposalRulesOf(const RcnnConfig& config, bool isTraining);
RoiSamplingRules samplingRulesOf(const RcnnConfig& config);
BoxDetectionRules detectionRulesOf(const RcnnConfig& config);

} // namespace trainyard
