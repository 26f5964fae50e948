#include "core/data/DetectionTransforms.h"

#include "core/data/Geometry.h"
#include "core/data/OpenCvImage.h"

#include <opencv2/imgproc.hpp>

#include <algorithm>
#include <cmath>

namespace trainyard {
namespace {

/// What fills a picture that is smaller than its frame: the mean of ImageNet, which normalising turns to about zero.
const cv::Scalar kPadding(124, 116, 104);

Image paddedImage(int width, int height, int channels) {
    Image image{width, height, channels, {}};
    image.pixels.resize(std::size_t(width) * std::size_t(height) * std::size_t(channels));
    matOf(image).setTo(channels == 1 ? cv::Scalar(117) : kPadding);
    return image;
}

void swapSides(std::vector<Keypoint>& keypoints, const KeypointPairs& pairs) {
    for (const auto& [left, right] : pairs)
        if (std::max(left, right) < keypoints.size())
            std::swap(keypoints[left], keypoints[right]);
}

} // namespace

void mirror(Sample& sample) {
    cv::Mat pixels = matOf(sample.image);
    cv::flip(pixels, pixels, 1);
    const int width = sample.image.width;
    moveObjects(sample, {-1, double(width), 1, 0}, width, sample.image.height);
    static const KeypointPairs person = cocoPersonPairs();
    for (ObjectAnnotation& object : sample.objects)
        if (sample.keypointPairs)
            swapSides(object.keypoints, *sample.keypointPairs);
        else if (object.keypoints.size() == 17)
            swapSides(object.keypoints, person);
}

void HorizontalFlip::apply(Sample& sample, Random& random) const {
    if (random.chance(m_chance))
        mirror(sample);
}

void RandomWindow::apply(Sample& sample, Random& random) const {
    const double scale = std::exp(random.uniform(std::log(m_smallest), std::log(std::max(m_smallest, m_largest))));
    const double placeX = random.uniform(), placeY = random.uniform();
    const int oldWidth = sample.image.width, oldHeight = sample.image.height;
    const int width = std::max(1, int(std::lround(oldWidth / scale)));
    const int height = std::max(1, int(std::lround(oldHeight / scale)));
    if (width == oldWidth && height == oldHeight)
        return;
    const int left = int(std::lround(placeX * (oldWidth - width))),
              top = int(std::lround(placeY * (oldHeight - height)));
    Image window = paddedImage(width, height, sample.image.channels);
    const cv::Rect whole(0, 0, oldWidth, oldHeight), part = whole & cv::Rect(left, top, width, height);
    matOf(sample.image)(part).copyTo(matOf(window)(part - cv::Point(left, top)));
    sample.image = std::move(window);
    moveObjects(sample, {1, double(-left), 1, double(-top)}, width, height);
}

void FitSquare::apply(Sample& sample, Random&) const {
    const int oldWidth = sample.image.width, oldHeight = sample.image.height;
    const double scale = double(m_side) / std::max(oldWidth, oldHeight);
    const int width = std::clamp(int(std::lround(oldWidth * scale)), 1, m_side);
    const int height = std::clamp(int(std::lround(oldHeight * scale)), 1, m_side);
    Image square = paddedImage(m_side, m_side, sample.image.channels);
    cv::resize(matOf(sample.image), matOf(square)(cv::Rect(0, 0, width, height)), {width, height}, 0, 0,
               scale < 1 ? cv::INTER_AREA : cv::INTER_LINEAR);
    sample.image = std::move(square);
    moveObjects(sample, {double(width) / oldWidth, 0, double(height) / oldHeight, 0}, m_side, m_side);
}

void ScaleShorterSide::apply(Sample& sample, Random& random) const {
    const auto side = double(m_sides[std::size_t(random.integer(0, std::int64_t(m_sides.size()) - 1))]);
    const int oldWidth = sample.image.width, oldHeight = sample.image.height;
    const double longer = std::max(oldWidth, oldHeight);
    double scale = side / std::min(oldWidth, oldHeight);
    if (std::nearbyint(scale * longer) > double(m_longest))
        scale = double(m_longest) / longer;
    const int width = std::max(1, int(std::nearbyint(oldWidth * scale)));
    const int height = std::max(1, int(std::nearbyint(oldHeight * scale)));
    Image scaled{width, height, sample.image.channels, {}};
    scaled.pixels.resize(std::size_t(width) * std::size_t(height) * std::size_t(scaled.channels));
    cv::resize(matOf(sample.image), matOf(scaled), {width, height}, 0, 0, cv::INTER_LINEAR);
    sample.image = std::move(scaled);
    moveObjects(sample, {double(width) / oldWidth, 0, double(height) / oldHeight, 0}, width, height);
}

} // namespace trainyard
