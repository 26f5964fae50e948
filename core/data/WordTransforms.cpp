#include "core/data/WordTransforms.h"

#include "core/data/OpenCvImage.h"

#include <opencv2/imgproc.hpp>

#include <cmath>
#include <numbers>

namespace trainyard {

void CropJitter::apply(Sample& sample, Random& random) const {
    const float width = float(sample.image.width), height = float(sample.image.height);
    const double angle = random.uniform(-m_degrees, m_degrees) * std::numbers::pi / 180;
    const double reach = m_corner * std::min(width, height);
    const auto moved = [&](float x, float y) { // turned around the middle, then shifted
        const double dx = x - width / 2, dy = y - height / 2;
        const double toX = width / 2 + dx * std::cos(angle) - dy * std::sin(angle) + random.uniform(-reach, reach);
        const double toY = height / 2 + dx * std::sin(angle) + dy * std::cos(angle) + random.uniform(-reach, reach);
        return cv::Point2f(float(toX), float(toY));
    };
    const cv::Point2f from[4] = {{0, 0}, {width, 0}, {width, height}, {0, height}};
    cv::Point2f to[4];
    for (int i = 0; i < 4; ++i)
        to[i] = moved(from[i].x, from[i].y);
    const cv::Mat pixels = matOf(sample.image);
    cv::Mat warped;
    cv::warpPerspective(pixels, warped, cv::getPerspectiveTransform(from, to), pixels.size(), cv::INTER_LINEAR,
                        cv::BORDER_REPLICATE);
    sample.image = imageOf(warped);
}

void ResizeWord::apply(Sample& sample, Random&) const {
    SampleInfo& info = sample.info;
    const int oldWidth = sample.image.width, oldHeight = sample.image.height;
    Image image = withChannels(std::move(sample.image), m_channels);
    if (image.width != m_width || image.height != m_height) {
        const bool isSmaller = image.width >= m_width && image.height >= m_height;
        cv::Mat resized;
        cv::resize(matOf(image), resized, {m_width, m_height}, 0, 0, isSmaller ? cv::INTER_AREA : cv::INTER_LINEAR);
        image = imageOf(resized);
    }
    sample.image = std::move(image);
    info.scaleX *= double(m_width) / oldWidth;
    info.scaleY *= double(m_height) / oldHeight;
}

} // namespace trainyard
