#pragma once

#include <opencv2/core.hpp>

namespace trainyard {

// Hue and saturation of float RGB numbers of any scale from 0; pictures of one channel stay as they are.

/// Turns every hue by `share` of the whole circle.
void shiftHue(cv::Mat& numbers, double share);
/// Multiplies every saturation (of the hexagonal cone, where 1 is a pure colour) by `factor`, up to 1.
void scaleSaturation(cv::Mat& numbers, double factor);

} // namespace trainyard
