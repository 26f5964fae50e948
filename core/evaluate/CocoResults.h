#pragma once

#include "core/base/Error.h"
#include "core/evaluate/CocoEvaluation.h"
#include "core/evaluate/Confusion.h"

#include <cstdint>
#include <filesystem>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace trainyard {

/// What a model found in one image, under COCO's id of it.
struct ImageDetections {
    std::int64_t imageId = 0;
    std::vector<Detection> detections;
};

/// Detections in COCO's results format (cocodataset.org/#format-results), one object a line; `categoryIds` gives each
/// label the id that the annotation file uses. Floats are written in their shortest form that reads back. Detections
/// without a mask or keypoints are no results of that type.
std::string cocoResults(CocoType type, const std::vector<ImageDetections>& images,
                        const std::vector<std::int64_t>& categoryIds);

/// What a file of results is worth.
struct CocoScore {
    Metrics metrics;
    std::vector<ClassScore> classes;
    std::int64_t images = 0;
    std::int64_t detections = 0;
    std::int64_t ofUnknownCategory = 0;      ///< detections of categories that the annotations do not have: left out
    std::set<std::string> unknownCategories; ///< their ids
    CocoEvaluation evaluation{CocoType::Boxes, {}}; ///< for its curves
    std::optional<ConfusionMatrix> confusion;       ///< of boxes
};

/// Scores a COCO results file against a COCO annotation file; ids may be numbers or texts of numbers. A Data error
/// names file and entry: not JSON, a field missing or of the wrong kind, an image that the annotations do not have.
Result<CocoScore> scoreCocoResults(const std::filesystem::path& results, const std::filesystem::path& annotations,
                                   CocoType type);

} // namespace trainyard
