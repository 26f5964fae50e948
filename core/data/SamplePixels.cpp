#include "core/data/SamplePixels.h"

#include "core/data/OpenCvImage.h"

#include <opencv2/imgproc.hpp>

namespace trainyard {

cv::Mat pixelsOf(Sample& sample) {
    if (sample.values.empty())
        return matOf(sample.image);
    return {sample.image.height, sample.image.width, CV_32FC(sample.image.channels), sample.values.data()};
}

cv::Mat numbersOf(Sample& sample) {
    if (sample.values.empty())
        sample.values.assign(sample.image.pixels.begin(), sample.image.pixels.end());
    return pixelsOf(sample);
}

void setPixels(Sample& sample, const cv::Mat& pixels) {
    if (pixels.depth() == CV_8U) {
        sample.image = imageOf(pixels);
        sample.values.clear();
        return;
    }
    const cv::Mat whole = pixels.isContinuous() ? pixels : pixels.clone();
    const auto* first = whole.ptr<float>();
    std::vector<float> values(first, first + whole.total() * std::size_t(whole.channels()));
    cv::Mat bytes;
    whole.convertTo(bytes, CV_8U); // before the old numbers go: `pixels` may be theirs
    sample.values = std::move(values);
    sample.image = imageOf(bytes);
}

void scaleOutlines(Sample& sample, double scaleX, double scaleY) {
    for (ObjectAnnotation& object : sample.objects)
        for (auto& polygon : object.polygons)
            for (Point& point : polygon)
                point = {float(double(point.x) * scaleX), float(double(point.y) * scaleY)};
}

void resizePixels(Sample& sample, int width, int height, int method) {
    const cv::Mat pixels = pixelsOf(sample);
    if (pixels.cols == width && pixels.rows == height)
        return;
    const double scaleX = double(width) / pixels.cols, scaleY = double(height) / pixels.rows;
    cv::Mat resized;
    cv::resize(pixels, resized, {width, height}, 0, 0, method);
    setPixels(sample, resized);
    scaleOutlines(sample, scaleX, scaleY);
    sample.info.scaleX *= scaleX;
    sample.info.scaleY *= scaleY;
}

} // namespace trainyard
