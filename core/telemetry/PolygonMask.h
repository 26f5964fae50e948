#pragma once

#include "core/telemetry/Annotation.h"

#include <vector>

/// Shapes as COCO's run-length masks, to the pixel as the COCO API draws them: training and evaluation agree on them.
namespace trainyard::masks {

/// The pixels that COCO counts as inside a polygon (corners as x y x y …, in pixels): its outline is drawn at five
/// times the resolution and columns are filled between crossings.
RunLengthMask fromPolygon(const std::vector<double>& corners, int width, int height);

/// A solid rectangle.
RunLengthMask fromBox(double x, double y, double boxWidth, double boxHeight, int width, int height);

} // namespace trainyard::masks
