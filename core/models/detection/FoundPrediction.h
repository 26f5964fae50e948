#pragma once

#include "core/models/detection/RegionHeads.h"
#include "core/telemetry/Annotation.h"

namespace trainyard {

struct FoundRules {
    BoxConvention convention = BoxConvention::Torchvision;
    double maskThreshold = 0.5;
    double oksSuppression = 0;                        ///< see suppressAlikeKeypoints
    std::int64_t networkHeight = 0, networkWidth = 0; ///< of the input: where the file's size is not known
};

/// What was found in an image, in pixels of its file: boxes, outlines laid into the picture, keypoints. Every keypoint
/// counts as visible: nothing says which are not.
Prediction predictionOf(FoundObjects found, const SampleInfo& sample, const FoundRules& rules);

} // namespace trainyard
