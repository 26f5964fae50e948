#pragma once

#include "core/nn/BoxVoting.h"
#include "core/nn/SoftNms.h"
#include "core/telemetry/Annotation.h"

#include <cstdint>
#include <optional>
#include <vector>

namespace trainyard {

/// How the boxes that are found of one object become one.
struct SuppressionRules {
    double nmsIou = 0.5; ///< boxes of one class that overlap more are the same object
    std::int64_t maxDetections = 100;
    std::optional<SoftNmsRules> softening; ///< scores sink in place of boxes that go
    std::optional<BoxVotingRules> voting;  ///< those left are moved by those that went
    double oksSuppression = 0;             ///< of what has keypoints, at last: see suppressAlikeKeypoints
};

/// One detection for each object, class by class, best first. Masks and keypoints are not carried over.
std::vector<Detection> suppressed(const std::vector<Detection>& candidates, const SuppressionRules& rules);

} // namespace trainyard
