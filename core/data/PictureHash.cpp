#include "core/data/PictureHash.h"

#include "core/data/OpenCvImage.h"

#include <opencv2/imgproc.hpp>

namespace trainyard {

std::uint64_t pictureHash(const Image& image) {
    constexpr int kFields = 8;
    Image copy = image;
    cv::Mat grey = matOf(copy), fields;
    if (image.channels == 3)
        cv::cvtColor(grey, grey, cv::COLOR_RGB2GRAY);
    cv::resize(grey, fields, {kFields + 1, kFields}, 0, 0, cv::INTER_AREA);
    std::uint64_t bits = 0;
    for (int y = 0; y < kFields; ++y)
        for (int x = 0; x < kFields; ++x)
            bits = bits << 1 | (fields.at<std::uint8_t>(y, x) > fields.at<std::uint8_t>(y, x + 1) ? 1 : 0);
    return bits;
}

} // namespace trainyard
