#pragma once

#include "core/config/imports/PythonValue.h"

#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace trainyard::detectron {

// Every key of Detectron's configuration, with its default and therefore its type.
// Source: facebookresearch/Detectron, its configuration module.

using Values = std::map<std::string, PythonValue>;
const Values& defaults();

/// Whether it is a node with keys below it: "TRAIN", "TEST.BBOX_AUG".
bool isSection(const std::string& key);
/// Whether its default is an array of NumPy, which takes numbers nested as they come.
bool isArray(const std::string& key);
/// Keys that older files have and nobody needs any more; they are passed over with a warning.
bool isDeprecated(const std::string& key);

/// A key that has another name now.
struct Renamed {
    std::string_view before, now, hint; ///< a sentence about its type, or nothing
};
const Renamed* renamed(const std::string& key);

} // namespace trainyard::detectron
