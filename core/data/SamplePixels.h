#pragma once

#include "core/data/Dataset.h"

#include <opencv2/core.hpp>

namespace trainyard {

/// The pixels that count: a sample's numbers (float, 0…255 unless a step moved them) where it has such, else its bytes.
/// Borrowed, nothing is copied.
cv::Mat pixelsOf(Sample& sample);
/// The same as numbers; the sample has such from then on.
cv::Mat numbersOf(Sample& sample);
/// Takes other pixels, of any size: float ones as its numbers, bytes as its bytes. Numbers are rounded into the bytes.
void setPixels(Sample& sample, const cv::Mat& pixels);

/// Scales the outlines of its objects.
void scaleOutlines(Sample& sample, double scaleX, double scaleY);

/// The pixels scaled to a size, outlines with them, `info.scaleX` and `scaleY` too. `method` is one of OpenCV's.
void resizePixels(Sample& sample, int width, int height, int method);

} // namespace trainyard
