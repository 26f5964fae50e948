#pragma once

#include "core/telemetry/Annotation.h"

#include <vector>

namespace trainyard {

/// `count` points along a polyline at equal distances of arc length, its ends among them. Empty where that means
/// nothing: fewer than two points in or out, or a line of no length.
std::vector<Point> divideCurve(const std::vector<Point>& line, std::size_t count);

/// What a rectifier's `count` control points should be for a word within `outline`, which runs along its upper edge
/// from left to right and back along its lower one, with as many points on each: the upper row, then the lower one,
/// both from left to right. Empty for an outline of another kind, and for an odd `count`.
std::vector<Point> controlPointsOf(const std::vector<Point>& outline, std::size_t count);

/// An outline from rows of points as ASTER's records have them: the upper edge, then the lower, both from left to
/// right. The other way is the same function.
std::vector<Point> withLowerHalfTurned(std::vector<Point> points);

} // namespace trainyard
