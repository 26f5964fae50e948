#pragma once

#include "core/config/RunConfig.h"

namespace trainyard {

/// How a detector's pictures are brought to the size in which it sees them.
struct PictureScaling {
    std::int64_t square = 0;          ///< side of the square that every picture is fitted into; 0: by the shorter side
    std::vector<std::int64_t> scales; ///< lengths of the shorter side, one drawn for each image; one outside training
    std::int64_t maxSize = 0;         ///< the longer side's most
    std::int64_t padTo = 1;           ///< a batch's sides are multiples of this
};

/// In training or outside. Without `data.resize.scales` it is the model's square.
PictureScaling pictureScaling(const RunConfig& config, bool isForTraining);

} // namespace trainyard
