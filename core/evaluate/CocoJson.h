#pragma once

#include "core/evaluate/CocoObject.h"

#include <nlohmann/json.hpp>
#include <string>

namespace trainyard::cocojson {

// Each throws a nlohmann exception or std::invalid_argument on a value of the wrong kind; the reader of the file
// catches.

/// An id as text, so that 2299 and "2299" are one.
std::string idOf(const nlohmann::json& object, const char* key);
CocoBox boxOf(const nlohmann::json& array);
/// x, y, visibility (or score) of each; empty where there is no "keypoints".
std::vector<double> keypointsOf(const nlohmann::json& object);
/// Polygons, compressed or uncompressed run lengths; nothing where there is no "segmentation".
std::optional<RunLengthMask> maskOf(const nlohmann::json& object, int width, int height);

} // namespace trainyard::cocojson
