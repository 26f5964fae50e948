#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace trainyard {

/// Precision over recall of one class at one overlap.
struct PrecisionCurve {
    std::vector<double> recall, precision;
    std::vector<double> score;    ///< the score at which that recall is reached; 0 beyond the last
    double averagePrecision = -1; ///< -1 where the class has no object
};

/// A curve with what it is of.
struct NamedCurve {
    std::string type;         ///< "bbox", "segm", "keypoints", "voc"
    std::string name;         ///< of the class
    double iou = 0.5;         ///< overlap (similarity of keypoints) from which on a detection is right
    std::int64_t objects = 0; ///< of the class
    PrecisionCurve curve;     ///< empty where there is no object
};

/// {"curves": [{"type", "class", "iou", "objects", "ap", "recall": […], "precision": […], "score": […]}, …]}; an
/// average precision that was not measured is null.
std::string curvesAsJson(const std::vector<NamedCurve>& curves);
/// A line a point under "type,class,iou,recall,precision,score".
std::string curvesAsCsv(const std::vector<NamedCurve>& curves);

} // namespace trainyard
