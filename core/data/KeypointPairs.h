#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace trainyard {

/// Keypoints of one side and the other, by number from 0: in a mirror they change places.
using KeypointPairs = std::vector<std::pair<std::size_t, std::size_t>>;

/// COCO's 17 points of a person: the nose, then eyes, ears, shoulders, elbows, wrists, hips, knees and ankles.
KeypointPairs cocoPersonPairs();

/// Pairs by name: `left_eye` and `right_eye`, `eye-left` and `eye-right`, `l_eye` and `r_eye`, in any case.
KeypointPairs pairsByName(const std::vector<std::string>& names);

/// Of a list that names them two by two; an odd last number is nobody's partner.
KeypointPairs pairsOf(const std::vector<std::int64_t>& numbers);

/// Of a list that says for each keypoint which one it becomes (YOLO's flip_idx).
KeypointPairs pairsOfSwaps(const std::vector<std::int64_t>& partners);

} // namespace trainyard
