#pragma once

#include "core/evaluate/CocoObject.h"

#include <nlohmann/json.hpp>
#include <string>

namespace trainyard::cocojson {

/// What an entry of a COCO file lacks or has wrong, as a clause: "it has no score". Each function below throws it; the
/// reader of the file catches it and says which entry it is and where that stands.
struct Objection {
    std::string clause;
};

/// The value under `key`, which must be there.
const nlohmann::json& member(const nlohmann::json& object, const char* key);
/// The list under `key`.
const nlohmann::json& listOf(const nlohmann::json& object, const char* key);
/// The number under `key`; of the second, `fallback` where there is none.
double number(const nlohmann::json& object, const char* key);
double number(const nlohmann::json& object, const char* key, double fallback);
/// True or false, or a number other than 0; false where there is none.
bool flag(const nlohmann::json& object, const char* key);
/// An id as text, so that 2299, 2299.0 and "2299" are one.
std::string idOf(const nlohmann::json& object, const char* key);
CocoBox boxOf(const nlohmann::json& array);
/// x, y, visibility (or score) of each; empty where there is no "keypoints".
std::vector<double> keypointsOf(const nlohmann::json& object);
/// Polygons, compressed or uncompressed run lengths; nothing where there is no "segmentation".
std::optional<RunLengthMask> maskOf(const nlohmann::json& object, int width, int height);

/// One entry of a file of results, which lies in an image of `width` by `height`; its label is not set.
CocoFinding findingOf(const nlohmann::json& entry, CocoType type, int width, int height);

/// The double whose shortest form is the float's: 0.1 and not 0.10000000149011612.
double widened(float value);
/// [x, y, width, height]
nlohmann::json boxJson(const Box& box);

} // namespace trainyard::cocojson
