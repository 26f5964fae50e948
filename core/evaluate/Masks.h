#pragma once

#include "core/telemetry/Annotation.h"
#include "core/telemetry/PolygonMask.h"

#include <cstdint>
#include <vector>

/// What evaluation does with COCO's run-length masks (core/telemetry/RunLength.h reads and measures them), to the pixel
/// as the COCO API does it (Lin et al. 2014), since published numbers depend on it.
namespace trainyard::masks {

/// Pixels that are set in both; 0 for masks of different sizes.
std::int64_t intersection(const RunLengthMask& a, const RunLengthMask& b);

/// Pixels that are set in any of them. All have the size of the first; empty for none.
RunLengthMask unionOf(const std::vector<RunLengthMask>& masks);

} // namespace trainyard::masks
