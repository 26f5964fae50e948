#include "core/models/detection/ObjectShape.h"

#include "core/telemetry/RunLength.h"

#include <algorithm>

namespace trainyard {

Box ObjectShape::bounds() const {
    if (polygons.empty())
        return mask ? runlength::bounds(*mask) : Box{};
    std::vector<Point> corners;
    for (const auto& polygon : polygons)
        corners.insert(corners.end(), polygon.begin(), polygon.end());
    if (corners.empty())
        return {};
    const auto [left, right] =
        std::minmax_element(corners.begin(), corners.end(), [](auto a, auto b) { return a.x < b.x; });
    const auto [top, bottom] =
        std::minmax_element(corners.begin(), corners.end(), [](auto a, auto b) { return a.y < b.y; });
    return {left->x, top->y, right->x, bottom->y};
}

} // namespace trainyard
