#pragma once

#include "core/base/Error.h"

#include <nlohmann/json.hpp>

#include <string>

namespace trainyard {

/// The parsed text; malformed text is a Data error with line and column. Never throws.
Result<nlohmann::json> parseJson(const std::string& text, const std::string& file);

/// The number under `key`; `fallback` when it is missing or no number.
double numberOr(const nlohmann::json& object, const char* key, double fallback);

/// An id as text and as number: COCO's are integers, some tools write them as text or as 1.0.
std::string idText(const nlohmann::json& value);
std::int64_t idNumber(const nlohmann::json& value, std::int64_t fallback);

} // namespace trainyard
