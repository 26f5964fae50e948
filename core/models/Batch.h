#pragma once

#include "core/models/detection/ObjectShape.h"
#include "core/telemetry/Annotation.h"

#include <ATen/core/Tensor.h>

#include <map>
#include <string>
#include <vector>

namespace trainyard {

/// What goes into a model at once. The trainer moves it between devices and looks no further.
///
/// `images` is float [N, C, H, W], channels-last in memory, normalised as the task's collation says
/// (detection: as `data.normalise` says, padded with zeros; recognition: (x / 255 - 0.5) / 0.5).
/// `targets` of detection, all in network pixels:
/// * "boxes" float [M, 4] x1 y1 x2 y2, edges and not pixels; "labels" int64 [M], classes from 0; "crowd" bool [M], true
///   for every ignore region; "counts" int64 [N], how many of the M rows are each image's;
/// * "sizes" int64 [N, 2], height and width of the picture inside its padding, from the upper left corner;
/// * for a model with keypoints "keypoints" float [M, K, 3], x y and visibility (0, 1, 2) of each row of "boxes", zeros
///   for an object without;
/// * for a model that takes proposals "proposals" float [P, 4], best first, and "proposal_counts" int64 [N].
/// Of recognition: "labels" int64 [sum of lengths], alphabet positions counted from 1 (0 is CTC's blank), "lengths"
/// int64 [N]; where widths vary, "widths" int64 [N] (of the picture at the left of its padding); where outlines teach the
/// control points, "points" float [N, K, 2] in an image of width and height 1, and "has_points" bool [N].
struct Batch {
    at::Tensor images;
    std::map<std::string, at::Tensor> targets;
    std::vector<SampleInfo> samples; ///< one an image, in order
    /// For a model with masks: the outline of each row of "boxes" in network pixels, a mask as large as the image.
    std::vector<ObjectShape> shapes;

    std::int64_t size() const { return std::int64_t(samples.size()); }
    Batch to(const at::Device& device) const; ///< itself where it is there already
};

} // namespace trainyard
