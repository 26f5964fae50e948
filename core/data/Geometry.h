#pragma once

#include "core/data/Dataset.h"

#include <cstdint>

namespace trainyard {

/// x' = scaleX x + offsetX, and the same for y; a negative scale mirrors. All that detection's transforms do to space.
struct AxisMap {
    double scaleX = 1, offsetX = 0, scaleY = 1, offsetY = 0;

    Point apply(const Point& p) const {
        return {float(scaleX * double(p.x) + offsetX), float(scaleY * double(p.y) + offsetY)};
    }
    Box apply(const Box& box) const; ///< x1 stays left of x2
};

/// Moves the objects of `sample` (box, area, polygons, mask, keypoints), its proposals and the scale and offset of its
/// `info` by `map` into a picture of `width` by `height`; the picture itself is the caller's work. What leaves the
/// picture is cut; an object of which less than a pixel is left is dropped, one of which less than `kLeastVisible` is
/// left becomes an ignore region.
void moveObjects(Sample& sample, const AxisMap& map, int width, int height);

/// The share of a box that must stay in the picture for the object to be learnt.
inline constexpr double kLeastVisible = 0.3;

/// By the shoelace formula.
double polygonArea(const std::vector<Point>& polygon);

} // namespace trainyard
