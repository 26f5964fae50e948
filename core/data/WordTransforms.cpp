#include "core/data/WordTransforms.h"

#include "core/data/OpenCvImage.h"
#include "core/data/SamplePixels.h"

#include <opencv2/imgproc.hpp>

#include <cmath>
#include <numbers>

namespace trainyard {
namespace {

constexpr int kPixelsAStep = 4, kFewestSteps = 4; // of a recogniser of variable width

cv::Mat withChannels(const cv::Mat& numbers, int channels) {
    cv::Mat other;
    cv::cvtColor(numbers, other, channels == 1 ? cv::COLOR_RGB2GRAY : cv::COLOR_GRAY2RGB);
    return other;
}

void moveOutlines(Sample& sample, const cv::Mat& map) {
    for (ObjectAnnotation& object : sample.objects)
        for (auto& polygon : object.polygons) {
            if (polygon.empty())
                continue;
            std::vector<cv::Point2f> points, moved;
            for (const Point& point : polygon)
                points.emplace_back(point.x, point.y);
            cv::perspectiveTransform(points, moved, map);
            for (std::size_t i = 0; i < moved.size(); ++i)
                polygon[i] = {moved[i].x, moved[i].y};
        }
}

} // namespace

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
    const cv::Mat pixels = pixelsOf(sample), map = cv::getPerspectiveTransform(from, to);
    cv::Mat warped;
    cv::warpPerspective(pixels, warped, map, pixels.size(), cv::INTER_LINEAR, cv::BORDER_REPLICATE);
    setPixels(sample, warped);
    moveOutlines(sample, map);
}

void ResizeWord::apply(Sample& sample, Random&) const {
    if (sample.values.empty())
        sample.image = withChannels(std::move(sample.image), m_channels);
    else if (sample.image.channels != m_channels)
        setPixels(sample, withChannels(numbersOf(sample), m_channels));
    const int oldWidth = sample.image.width, oldHeight = sample.image.height, width = widthFor(oldWidth, oldHeight);
    const bool isSmaller = oldWidth >= width && oldHeight >= m_height;
    resizePixels(sample, width, m_height, isSmaller ? cv::INTER_AREA : cv::INTER_LINEAR);
}

int ResizeWord::widthFor(int oldWidth, int oldHeight) const {
    if (!m_isVariable)
        return m_width;
    const double wanted = double(oldWidth) * m_height / std::max(1, oldHeight);
    const int steps = int(std::ceil(std::min(wanted, double(m_width)) / kPixelsAStep));
    return std::max(kFewestSteps, steps) * kPixelsAStep;
}

} // namespace trainyard
