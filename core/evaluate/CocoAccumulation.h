#pragma once

#include "core/evaluate/CocoEvaluation.h"

namespace trainyard {

/// Precision and recall of one class, one area range, one limit of findings an image, at every threshold.
struct CocoAccumulated {
    static constexpr std::size_t kRecalls = 101;
    std::array<std::array<double, kRecalls>, kCocoThresholds> precision{};
    std::array<std::array<double, kRecalls>, kCocoThresholds> score{};
    std::array<double, kCocoThresholds> recall{}; ///< the largest
};

double cocoRecall(std::size_t index); ///< 0, 0.01, …, 1

/// `findings` stand best first over all images. `objects` is above 0.
CocoAccumulated accumulate(const std::vector<JudgedFinding>& findings, std::int64_t objects, CocoArea area,
                           int mostFindings);

} // namespace trainyard
