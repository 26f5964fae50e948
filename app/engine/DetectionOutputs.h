#pragma once

#include "core/config/RunConfig.h"
#include "core/evaluate/CocoObject.h"

#include <vector>

namespace trainyard {

/// What a detector says of an image.
struct DetectionOutputs {
    std::vector<CocoType> types = {CocoType::Boxes}; ///< boxes first
    bool areProposals = false;                       ///< boxes of no class, for other detectors to start from
};

/// Of the model that `config.model.type` names.
DetectionOutputs outputsOf(const RunConfig& config);

} // namespace trainyard
