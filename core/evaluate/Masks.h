#pragma once

#include "core/telemetry/Annotation.h"

#include <cstdint>
#include <vector>

/// What evaluation does with COCO's run-length masks (core/telemetry/RunLength.h reads and measures them), to the pixel
/// as the COCO API does it (Lin et al. 2014), since published numbers depend on it.
namespace trainyard::masks {

/// Pixels that are set in both; 0 for masks of different sizes.
std::int64_t intersection(const RunLengthMask& a, const RunLengthMask& b);

/// Pixels that are set in any of them. All have the size of the first; empty for none.
RunLengthMask unionOf(const std::vector<RunLengthMask>& masks);

/// The pixels that COCO counts as inside a polygon (corners as x y x y …, in pixels): its outline is drawn at five
/// times the resolution and columns are filled between crossings.
RunLengthMask fromPolygon(const std::vector<double>& corners, int width, int height);

/// A solid rectangle.
RunLengthMask fromBox(double x, double y, double boxWidth, double boxHeight, int width, int height);

} // namespace trainyard::masks
