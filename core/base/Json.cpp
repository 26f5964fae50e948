#include "core/base/Json.h"

#include "core/base/Text.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>

namespace trainyard {

namespace {

constexpr const char* kMend = "Mend the file or export it again.";

/// "file:line:column" of a byte.
std::string placeIn(std::string_view text, const std::string& file, std::size_t offset, std::size_t line = 1) {
    const auto place = text::placeAt(text, offset);
    return fmt::format("{}:{}:{}", file, place.line + line - 1, place.column);
}

/// The word, number or single character at `offset`, in quotes, or that there is none.
std::string standingAt(std::string_view text, std::size_t offset) {
    if (offset >= text.size())
        return "the file ends";
    const auto isWordly = [](char c) {
        return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
    };
    std::size_t end = offset;
    while (end < text.size() && end < offset + 20 && isWordly(text[end]))
        ++end;
    const auto c = static_cast<unsigned char>(text[offset]);
    if (end == offset && (c < 0x20 || c >= 0x7F))
        return c == '\n' || c == '\r' ? "the line ends" : fmt::format("the byte 0x{:02X} stands", c);
    return fmt::format("\"{}\" stands", text.substr(offset, std::max(end, offset + 1) - offset));
}

} // namespace

Result<nlohmann::json> parseJson(std::string_view text, const std::string& file, ErrorKind kind, std::size_t line) {
    try {
        return nlohmann::json::parse(text);
    } catch (const nlohmann::json::parse_error& error) {
        const auto fault = jsontext::firstFault(text);
        if (!fault) // the form is right: only bytes inside a text can be wrong
            return Error{kind, "This is not JSON: a text in it is not UTF-8.",
                         placeIn(text, file, error.byte > 0 ? error.byte - 1 : 0, line), kMend};
        return Error{
            kind,
            fmt::format("This is not JSON: {} is expected where {}.", fault->expected, standingAt(text, fault->offset)),
            placeIn(text, file, fault->offset, line), kMend};
    } catch (const nlohmann::json::exception&) {
        return Error{kind, "A number in the JSON is beyond all bounds.", file, kMend};
    }
}

Error jsonError(std::string_view text, const std::string& file, const jsontext::Path& path, std::string what,
                std::string remedy, ErrorKind kind) {
    return {kind, std::move(what), placeIn(text, file, jsontext::offsetOf(text, path)), std::move(remedy)};
}

std::string described(const nlohmann::json& value) {
    if (value.is_null())
        return "nothing (null)";
    if (value.is_array())
        return "a list";
    if (value.is_object())
        return "an object";
    const std::string text = value.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
    const std::string kind = value.is_string() ? "the text " : value.is_number() ? "the number " : "";
    return text.size() <= 40 ? kind + text : value.is_string() ? "a long text" : kind + text;
}

double numberOr(const nlohmann::json& object, const char* key, double fallback) {
    const auto found = object.find(key);
    return found != object.end() && found->is_number() ? found->get<double>() : fallback;
}

std::string idText(const nlohmann::json& value) {
    if (value.is_string())
        return value.get<std::string>();
    if (value.is_number_float() && std::floor(value.get<double>()) == value.get<double>())
        return fmt::format("{:.0f}", value.get<double>());
    return value.dump();
}

std::int64_t idNumber(const nlohmann::json& value, std::int64_t fallback) {
    const std::string text = idText(value);
    std::int64_t number = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    return error == std::errc() && end == text.data() + text.size() ? number : fallback;
}

} // namespace trainyard
