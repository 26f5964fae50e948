#include "core/data/Curve.h"

#include <algorithm>
#include <cmath>

namespace trainyard {

std::vector<Point> divideCurve(const std::vector<Point>& line, std::size_t count) {
    if (line.size() < 2 || count < 2)
        return {};
    std::vector<double> along{0}; // arc length up to each point
    for (std::size_t i = 1; i < line.size(); ++i)
        along.push_back(along.back() + std::hypot(double(line[i].x) - double(line[i - 1].x),
                                                  double(line[i].y) - double(line[i - 1].y)));
    if (!(along.back() > 0) || !std::isfinite(along.back()))
        return {};
    std::vector<Point> points;
    std::size_t piece = 1;
    for (std::size_t k = 0; k < count; ++k) {
        const double wanted = along.back() * double(k) / double(count - 1);
        while (piece + 1 < line.size() && along[piece] < wanted)
            ++piece;
        const double length = along[piece] - along[piece - 1];
        const double share = length > 0 ? std::clamp((wanted - along[piece - 1]) / length, 0.0, 1.0) : 0.0;
        const Point &a = line[piece - 1], &b = line[piece];
        points.push_back({float((1 - share) * double(a.x) + share * double(b.x)),
                          float((1 - share) * double(a.y) + share * double(b.y))});
    }
    return points;
}

std::vector<Point> controlPointsOf(const std::vector<Point>& outline, std::size_t count) {
    if (outline.size() < 4 || outline.size() % 2 != 0 || count % 2 != 0)
        return {};
    const auto rows = withLowerHalfTurned(outline);
    const auto middle = rows.begin() + std::ptrdiff_t(rows.size() / 2);
    auto points = divideCurve({rows.begin(), middle}, count / 2);
    const auto lower = divideCurve({middle, rows.end()}, count / 2);
    if (points.empty() || lower.empty())
        return {};
    points.insert(points.end(), lower.begin(), lower.end());
    return points;
}

std::vector<Point> withLowerHalfTurned(std::vector<Point> points) {
    std::reverse(points.begin() + std::ptrdiff_t(points.size() / 2), points.end());
    return points;
}

} // namespace trainyard
