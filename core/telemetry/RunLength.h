#pragma once

#include "core/telemetry/Annotation.h"

#include <nlohmann/json_fwd.hpp>
#include <tl/expected.hpp>

#include <optional>
#include <string>
#include <string_view>

/// COCO's run-length masks, to the pixel as the COCO API has them: runs of zeros and ones by turns, column by column,
/// zeros first. Source: the COCO API's mask format (Lin et al. 2014), its compressed form included.
namespace trainyard::runlength {

/// Counts from COCO's compressed text; nothing when it is malformed.
std::optional<std::vector<std::uint32_t>> fromText(std::string_view text);
std::string toText(const std::vector<std::uint32_t>& counts);

/// A mask as COCO files write it, {"size": [height, width], "counts": a list of runs or the compressed text}. Instead,
/// a clause that says what is wrong with it ("the runs of its mask do not fill its size"). Sides reach from 1 to 65535.
tl::expected<RunLengthMask, std::string> fromJson(const nlohmann::json& object);
/// The same, compressed.
nlohmann::json toJson(const RunLengthMask& mask);

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
