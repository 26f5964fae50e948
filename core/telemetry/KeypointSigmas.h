#pragma once

#include <cstddef>
#include <numeric>
#include <vector>

namespace trainyard {

/// How far people put a keypoint from another's, by the size of the object: the standard deviations of COCO's 17 human
/// keypoints; for any other number, their mean for each. Source: cocodataset.org/#keypoints-eval.
inline std::vector<double> keypointSigmas(std::size_t count) {
    // nose, eyes, ears, shoulders, elbows, wrists, hips, knees, ankles
    static const std::vector<double> human = {.026, .025, .025, .035, .035, .079, .079, .072, .072,
                                              .062, .062, .107, .107, .087, .087, .089, .089};
    if (count == human.size())
        return human;
    const double mean = std::accumulate(human.begin(), human.end(), 0.0) / double(human.size());
    return std::vector<double>(count, mean);
}

} // namespace trainyard
