#pragma once

#include "core/config/RunConfig.h"

namespace trainyard {

/// What the detector that `model.type` names takes in and gives out: for who makes its data ready, whichever it is.
struct DetectorInput {
    std::string section;         ///< where its keys lie: "model.retinanet", "model.rcnn"
    std::int64_t classes = 0;    ///< 0: as many as the data has
    std::int64_t side = 0;       ///< images are scaled to fit this square, in pixels
    bool hasMasks = false;       ///< it learns outlines
    std::int64_t keypoints = 0;  ///< of an object; 0: it learns none
    bool takesProposals = false; ///< regions to look at come with the data
};

/// That of a RetinaNet for a type that finds no objects.
DetectorInput detectorInput(const ModelConfig& model);

} // namespace trainyard
