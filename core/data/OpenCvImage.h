#pragma once

#include "core/data/Image.h"

#include <opencv2/core.hpp>

namespace trainyard {

/// OpenCV's own threads stay off: the loader's workers are the threads. Cheap to call again; any thread.
void prepareOpenCv();

/// The image's pixels as OpenCV sees them; borrowed, nothing is copied.
cv::Mat matOf(Image& image);
const cv::Mat matOf(const Image& image);

/// Copies 8-bit pixels of 1 or 3 channels, in our order (red first).
Image imageOf(const cv::Mat& pixels);

/// Grey (1) or RGB (3) of an image that is either.
Image withChannels(Image image, int channels);

} // namespace trainyard
