#include "core/data/OpenCvImage.h"

#include <opencv2/imgproc.hpp>

#include <cstring>
#include <mutex>

namespace trainyard {

void prepareOpenCv() {
    static std::once_flag once;
    std::call_once(once, [] { cv::setNumThreads(0); });
}

cv::Mat matOf(Image& image) {
    return {image.height, image.width, CV_8UC(image.channels), image.pixels.data()};
}

const cv::Mat matOf(const Image& image) {
    return matOf(const_cast<Image&>(image));
}

Image imageOf(const cv::Mat& pixels) {
    Image image{pixels.cols, pixels.rows, pixels.channels(), {}};
    image.pixels.resize(std::size_t(pixels.rows) * std::size_t(pixels.cols) * std::size_t(pixels.channels()));
    for (int y = 0; y < pixels.rows; ++y)
        std::memcpy(image.row(y), pixels.ptr(y), std::size_t(pixels.cols) * std::size_t(pixels.channels()));
    return image;
}

Image withChannels(Image image, int channels) {
    if (image.channels == channels || image.isEmpty())
        return image;
    Image result{image.width, image.height, channels, {}};
    result.pixels.resize(std::size_t(image.width) * std::size_t(image.height) * std::size_t(channels));
    cv::Mat target = matOf(result);
    cv::cvtColor(matOf(image), target, channels == 1 ? cv::COLOR_RGB2GRAY : cv::COLOR_GRAY2RGB);
    return result;
}

} // namespace trainyard
