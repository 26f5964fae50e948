#include "core/telemetry/PolygonMask.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>

namespace trainyard::masks {
namespace {

constexpr int kFine = 5; ///< outline steps a pixel

struct FinePoint {
    std::int64_t x = 0, y = 0;
};

std::int64_t toFine(double coordinate) {
    return static_cast<std::int64_t>(kFine * coordinate + 0.5);
}

/// Follows an outline point by point and notes where it crosses the middle of a pixel column, as a position in column
/// order.
class Outline {
public:
    Outline(int width, int height) : m_width(width), m_height(height) {}

    /// Every fine point of the straight line from `from` to `to`, both included, one for each step of its longer side.
    void line(FinePoint from, FinePoint to) {
        const auto dx = std::abs(to.x - from.x), dy = std::abs(to.y - from.y);
        const bool isFlat = dx >= dy;
        // A line is the same set of points whichever way it is walked: it is computed from its lesser end.
        const bool isReversed = isFlat ? from.x > to.x : from.y > to.y;
        if (isReversed)
            std::swap(from, to);
        const auto length = isFlat ? dx : dy;
        const double slope = length == 0 ? 0.0 : double(isFlat ? to.y - from.y : to.x - from.x) / double(length);
        for (std::int64_t step = 0; step <= length; ++step) {
            const auto t = isReversed ? length - step : step;
            const auto across = static_cast<std::int64_t>(double(isFlat ? from.y : from.x) + slope * double(t) + 0.5);
            visit(isFlat ? FinePoint{from.x + t, across} : FinePoint{across, from.y + t});
        }
    }

    std::vector<std::int64_t> sortedCrossings() && {
        std::sort(m_crossings.begin(), m_crossings.end());
        return std::move(m_crossings);
    }

private:
    void visit(FinePoint now) {
        const auto before = std::exchange(m_last, now);
        if (!before || now.x == before->x)
            return;
        const double column = (double(std::min(now.x, before->x)) + 0.5) / kFine - 0.5;
        if (std::floor(column) != column || column < 0 || column > m_width - 1)
            return;
        const double row = (double(std::min(now.y, before->y)) + 0.5) / kFine - 0.5;
        const double inside = std::ceil(std::clamp(row, 0.0, double(m_height)));
        m_crossings.push_back(std::int64_t(column) * m_height + std::int64_t(inside));
    }

    int m_width, m_height;
    std::optional<FinePoint> m_last;
    std::vector<std::int64_t> m_crossings;
};

/// Runs that switch at each position; two switches at one place undo each other.
std::vector<std::uint32_t> runsBetween(const std::vector<std::int64_t>& positions, std::int64_t size) {
    std::vector<std::int64_t> switches;
    for (const auto position : positions) {
        if (!switches.empty() && switches.back() == position)
            switches.pop_back();
        else if (position < size)
            switches.push_back(position);
    }
    std::vector<std::uint32_t> counts;
    std::int64_t last = 0;
    for (const auto position : switches) {
        counts.push_back(std::uint32_t(position - last));
        last = position;
    }
    counts.push_back(std::uint32_t(size - last));
    return counts;
}

} // namespace

RunLengthMask fromPolygon(const std::vector<double>& corners, int width, int height) {
    constexpr double kFar = 1e5; // beyond it no picture reaches; it bounds the work
    const auto count = corners.size() / 2;
    const auto cornerAt = [&](std::size_t i) {
        return FinePoint{toFine(std::clamp(corners[2 * (i % count)], -kFar, kFar)),
                         toFine(std::clamp(corners[2 * (i % count) + 1], -kFar, kFar))};
    };
    Outline outline(width, height);
    for (std::size_t i = 0; i < count; ++i)
        outline.line(cornerAt(i), cornerAt(i + 1));
    return {width, height, runsBetween(std::move(outline).sortedCrossings(), std::int64_t(width) * height)};
}

RunLengthMask fromBox(double x, double y, double boxWidth, double boxHeight, int width, int height) {
    return fromPolygon({x, y, x, y + boxHeight, x + boxWidth, y + boxHeight, x + boxWidth, y}, width, height);
}

} // namespace trainyard::masks
