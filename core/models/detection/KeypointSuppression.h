#pragma once

#include "core/telemetry/Annotation.h"

#include <ATen/core/Tensor.h>

#include <vector>

namespace trainyard {

/// Leaves one of several detections of a class whose keypoints are nearly the same, the one with the clearest: of two
/// that are more alike than `mostAlike` (object keypoint similarity, by the size of the better one's box) the other
/// goes. `clarity` is a number for each detection, the mean logit of its keypoints. The order stays. 0 leaves all.
/// Source: Detectron.
void suppressAlikeKeypoints(std::vector<Detection>& found, const std::vector<double>& clarity, double mostAlike);

/// Mean logit of the keypoints of each object; `places` is float [R, P, 3] on the CPU, as keypointsOf gives it.
std::vector<double> keypointClarity(const at::Tensor& places);

} // namespace trainyard
