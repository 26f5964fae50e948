#include "app/engine/DetectionOutputs.h"

#include "core/config/DetectorInput.h"

namespace trainyard {

DetectionOutputs outputsOf(const RunConfig& config) {
    const DetectorInput input = detectorInput(config.model);
    DetectionOutputs outputs;
    if (input.hasMasks)
        outputs.types.push_back(CocoType::Masks);
    if (input.keypoints > 0)
        outputs.types.push_back(CocoType::Keypoints);
    outputs.areProposals = config.model.type == "rpn";
    return outputs;
}

} // namespace trainyard
