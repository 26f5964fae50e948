#include "core/data/Geometry.h"

#include "core/telemetry/RunLength.h"

#include <opencv2/imgproc.hpp>

#include <algorithm>
#include <cmath>

namespace trainyard {
namespace {

RunLengthMask moved(const RunLengthMask& mask, const AxisMap& map, int width, int height) {
    std::vector<std::uint8_t> bytes = runlength::pixels(mask);
    const cv::Mat from(mask.height, mask.width, CV_8UC1, bytes.data());
    // a pixel's centre is half a pixel right of its number
    const cv::Matx23d matrix(map.scaleX, 0, map.offsetX + map.scaleX / 2 - 0.5, 0, map.scaleY,
                             map.offsetY + map.scaleY / 2 - 0.5);
    cv::Mat to;
    cv::warpAffine(from, to, matrix, {width, height}, cv::INTER_NEAREST, cv::BORDER_CONSTANT, cv::Scalar(0));
    return runlength::fromPixels(to.ptr(), width, height);
}

bool isInside(const Point& p, int width, int height) {
    return p.x >= 0 && p.y >= 0 && p.x <= float(width) && p.y <= float(height);
}

Box cut(const Box& box, int width, int height) {
    const float w = float(width), h = float(height);
    return {std::clamp(box.x1, 0.f, w), std::clamp(box.y1, 0.f, h), std::clamp(box.x2, 0.f, w),
            std::clamp(box.y2, 0.f, h)};
}

/// Sutherland and Hodgman 1974: cuts a polygon at one side of the picture after the other.
std::vector<Point> cut(std::vector<Point> polygon, int width, int height) {
    const auto cutAt = [&polygon](auto inside, auto crossing) {
        std::vector<Point> kept;
        for (std::size_t i = 0; i < polygon.size(); ++i) {
            const Point& a = polygon[i];
            const Point& b = polygon[(i + 1) % polygon.size()];
            if (inside(a))
                kept.push_back(a);
            if (inside(a) != inside(b))
                kept.push_back(crossing(a, b));
        }
        polygon = std::move(kept);
    };
    const auto atX = [](float x) {
        return [x](const Point& a, const Point& b) { return Point{x, a.y + (b.y - a.y) * (x - a.x) / (b.x - a.x)}; };
    };
    const auto atY = [](float y) {
        return [y](const Point& a, const Point& b) { return Point{a.x + (b.x - a.x) * (y - a.y) / (b.y - a.y), y}; };
    };
    const float w = float(width), h = float(height);
    cutAt([](const Point& p) { return p.x >= 0; }, atX(0));
    cutAt([w](const Point& p) { return p.x <= w; }, atX(w));
    cutAt([](const Point& p) { return p.y >= 0; }, atY(0));
    cutAt([h](const Point& p) { return p.y <= h; }, atY(h));
    return polygon;
}

void moveShapes(ObjectAnnotation& object, const AxisMap& map, int width, int height) {
    for (auto& polygon : object.polygons) {
        for (Point& point : polygon)
            point = map.apply(point);
        polygon = cut(std::move(polygon), width, height);
    }
    std::erase_if(object.polygons, [](const auto& polygon) { return polygon.size() < 3; });
    if (object.mask)
        object.mask = moved(*object.mask, map, width, height);
    for (Keypoint& keypoint : object.keypoints) {
        if (keypoint.visibility == 0)
            continue;
        keypoint.at = map.apply(keypoint.at);
        if (!isInside(keypoint.at, width, height))
            keypoint = {};
    }
}

/// False for an object that is gone.
bool moveObject(ObjectAnnotation& object, const AxisMap& map, int width, int height) {
    const Box whole = map.apply(object.box);
    object.box = cut(whole, width, height);
    if (!(object.box.width() >= 1) || !(object.box.height() >= 1))
        return false;
    const double visible = whole.area() > 0 ? object.box.area() / whole.area() : 0;
    if (visible < kLeastVisible)
        object.isCrowd = true;
    object.area *= std::abs(map.scaleX * map.scaleY) * visible;
    moveShapes(object, map, width, height);
    return true;
}

} // namespace

Box AxisMap::apply(const Box& box) const {
    const Point a = apply(Point{box.x1, box.y1}), b = apply(Point{box.x2, box.y2});
    return {std::min(a.x, b.x), std::min(a.y, b.y), std::max(a.x, b.x), std::max(a.y, b.y)};
}

void moveObjects(Sample& sample, const AxisMap& map, int width, int height) {
    for (Box& proposal : sample.proposals)
        proposal = cut(map.apply(proposal), width, height);
    std::erase_if(sample.proposals, [](const Box& box) { return !(box.width() > 0) || !(box.height() > 0); });
    std::erase_if(sample.objects, [&](ObjectAnnotation& object) { return !moveObject(object, map, width, height); });
    SampleInfo& info = sample.info;
    info.scaleX *= map.scaleX;
    info.scaleY *= map.scaleY;
    info.offsetX = info.offsetX * map.scaleX + map.offsetX;
    info.offsetY = info.offsetY * map.scaleY + map.offsetY;
}

double polygonArea(const std::vector<Point>& polygon) {
    double twice = 0;
    for (std::size_t i = 0; i < polygon.size(); ++i) {
        const Point& a = polygon[i];
        const Point& b = polygon[(i + 1) % polygon.size()];
        twice += double(a.x) * b.y - double(b.x) * a.y;
    }
    return std::abs(twice) / 2;
}

} // namespace trainyard
