#pragma once

#include "core/telemetry/Annotation.h"

#include <optional>
#include <vector>

namespace trainyard {

/// The outline of one object, in pixels of the picture it lies in: polygons, or else a mask of that picture's size.
struct ObjectShape {
    std::vector<std::vector<Point>> polygons;
    std::optional<RunLengthMask> mask;

    /// The smallest box around it; all zero when there is nothing.
    Box bounds() const;
};

} // namespace trainyard
