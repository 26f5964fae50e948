#include "core/config/PictureScaling.h"

#include "core/config/DetectorInput.h"

namespace trainyard {

PictureScaling pictureScaling(const RunConfig& config, bool isForTraining) {
    const ResizeConfig& resize = config.data.resize;
    if (resize.scales.empty())
        return {.square = detectorInput(config.model).side, .scales = {}, .maxSize = 0, .padTo = 1};
    PictureScaling scaling{.square = 0, .scales = resize.scales, .maxSize = resize.maxSize, .padTo = resize.padTo};
    if (isForTraining)
        return scaling;
    scaling.scales = {resize.validationScale > 0 ? resize.validationScale : resize.scales.back()};
    if (resize.validationMaxSize > 0)
        scaling.maxSize = resize.validationMaxSize;
    return scaling;
}

} // namespace trainyard
