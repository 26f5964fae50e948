#pragma once

#include "core/evaluate/CocoObject.h"

namespace trainyard {

/// A sample and its detections as COCO's evaluation wants them: polygons become masks of the image's size.
CocoImage toCocoImage(CocoType type, const SampleInfo& truth, const std::vector<Detection>& found);

} // namespace trainyard
