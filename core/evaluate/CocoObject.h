#pragma once

#include "core/telemetry/Annotation.h"

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

namespace trainyard {

/// What is compared: COCO's three kinds of result.
enum class CocoType { Boxes, Masks, Keypoints };
const char* prefixOf(CocoType type); ///< "bbox", "segm", "keypoints": of metric names, and as people name the type

/// A box as COCO writes it, in its own precision: left, top, width, height.
struct CocoBox {
    double x = 0, y = 0, width = 0, height = 0;
    double area() const { return width * height; }
};

/// An annotated object as evaluation sees it.
struct CocoTruth {
    int label = 0;
    CocoBox box;
    double area = 0;      ///< as annotated: it decides between small, medium and large
    bool isCrowd = false; ///< matches any number of detections, none of which counts
    std::optional<RunLengthMask> mask;
    std::vector<double> keypoints; ///< x, y, visibility of each
};

/// A detection as evaluation sees it.
struct CocoFinding {
    int label = 0;
    double score = 0;
    CocoBox box;
    double area = 0;
    std::optional<RunLengthMask> mask;
    std::vector<double> keypoints;
};

/// One image with all that is in it and all that was found.
struct CocoImage {
    std::int64_t id = 0;
    std::vector<CocoTruth> truths;
    std::vector<CocoFinding> findings;
};

/// How much each finding overlaps each truth: rows of findings. Boxes and masks: intersection over union, for a crowd
/// intersection over the finding's area. Keypoints: object keypoint similarity.
/// Source: the COCO evaluation (Lin et al. 2014, cocodataset.org/#detection-eval and #keypoints-eval).
std::vector<std::vector<double>> overlaps(CocoType type, const std::vector<const CocoFinding*>& findings,
                                          const std::vector<const CocoTruth*>& truths);

/// The box around all keypoints, labelled or not: the size of a keypoint result is its size.
CocoBox keypointExtent(const std::vector<double>& keypoints);

} // namespace trainyard
