#pragma once

#include "core/base/Error.h"
#include "core/base/JsonText.h"

#include <nlohmann/json.hpp>

#include <string>
#include <string_view>

/// The one way in which JSON that others wrote is read. Whatever is wrong with it is an Error with "file:line:column".
namespace trainyard {

/// The parsed text. Malformed text is an error that says what was expected; `file` is its name and `line` the number of
/// its first line in it (a line of JSON lines). Never throws.
Result<nlohmann::json> parseJson(std::string_view text, const std::string& file, ErrorKind kind = ErrorKind::Data,
                                 std::size_t line = 1);

/// That the value at `path` is not what it should be; `what` is a sentence.
Error jsonError(std::string_view text, const std::string& file, const jsontext::Path& path, std::string what,
                std::string remedy = "", ErrorKind kind = ErrorKind::Data);

/// What kind of value this is and, where it is short, which: "the text \"x\"", "a list", "nothing (null)".
std::string described(const nlohmann::json& value);

/// The number under `key`; `fallback` when it is missing or no number.
double numberOr(const nlohmann::json& object, const char* key, double fallback);

/// An id as text and as number: COCO's are integers, some tools write them as text or as 1.0.
std::string idText(const nlohmann::json& value);
std::int64_t idNumber(const nlohmann::json& value, std::int64_t fallback);

} // namespace trainyard
