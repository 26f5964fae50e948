#pragma once

#include "core/nn/Boxes.h"
#include "core/telemetry/Annotation.h"

#include <ATen/core/Tensor.h>

#include <cstdint>
#include <vector>

namespace trainyard {

struct DetectionRules {
    double scoreThreshold = 0.05;      ///< a score must be more than this
    double nmsIou = 0.5;               ///< boxes of one class that overlap more are the same object
    std::int64_t topCandidates = 1000; ///< a level: the best go on to suppression
    std::int64_t maxDetections = 300;  ///< an image
    /// Of anchors and boxes. Detectron lowers the threshold of the last level to 0, so that something is always found.
    BoxConvention convention = BoxConvention::Torchvision;
};

/// The network's word on one image, on the CPU in float32.
struct AnchorScores {
    at::Tensor logits;  ///< [R, K]
    at::Tensor offsets; ///< [R, 4]
    at::Tensor anchors; ///< [R, 4]
    std::vector<std::int64_t> rowsALevel;
};

/// What is found in one image, best first, in network pixels of either convention, cut off at `picture` (the image
/// inside its padding, as edges); the boxes that come out are edges.
/// The steps of torchvision's RetinaNet: threshold, best of each level, decode, clip, suppression within each class.
/// Equal scores keep the order of rows and classes.
std::vector<Detection> findObjects(const AnchorScores& scores, const Box& picture, const DetectionRules& rules);

/// The image inside its padding: from the sample's offset, or the edge where that lies outside (a tile), to `height`
/// and `width` network pixels.
Box pictureInNetwork(const SampleInfo& sample, double height, double width);

/// Network pixels to pixels of the image file, by the sample's scale and offset, cut off at the file's size if known.
Box toFilePixels(const Box& box, const SampleInfo& sample);

} // namespace trainyard
