#pragma once

#include "core/telemetry/Annotation.h"

#include <optional>
#include <string>
#include <string_view>

/// COCO's run-length masks: runs of zeros and ones by turns, column by column, zeros first.
/// Source: the COCO API's mask format (Lin et al. 2014), its compressed form included.
namespace trainyard::runlength {

/// Counts from COCO's compressed text; nothing when it is malformed.
std::optional<std::vector<std::uint32_t>> fromText(std::string_view text);
std::string toText(const std::vector<std::uint32_t>& counts);

/// Whether the runs fill the mask's size exactly.
bool isWhole(const RunLengthMask& mask);
/// Pixels set.
std::int64_t area(const RunLengthMask& mask);
/// The smallest box around the pixels set; all zero for an empty mask.
Box bounds(const RunLengthMask& mask);

/// One byte a pixel, 0 or 255, row by row; and back (any non-zero byte is set).
std::vector<std::uint8_t> pixels(const RunLengthMask& mask);
RunLengthMask fromPixels(const std::uint8_t* pixels, int width, int height);

} // namespace trainyard::runlength
