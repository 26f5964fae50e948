#include "core/data/Json.h"

#include "core/data/Text.h"

#include <fmt/format.h>

#include <charconv>
#include <cmath>

namespace trainyard {

Result<nlohmann::json> parseJson(const std::string& text, const std::string& file) {
    try {
        return nlohmann::json::parse(text);
    } catch (const nlohmann::json::parse_error& error) {
        const std::size_t offset = error.byte > 0 ? error.byte - 1 : 0;
        return Error{ErrorKind::Data,
                     fmt::format("The JSON is malformed at {}{}.", text::place(text, offset),
                                 offset + 1 >= text.size() ? ", where the file ends" : ""),
                     file, "Mend the file or export it again."};
    } catch (const nlohmann::json::exception& error) { // a number beyond all bounds
        return Error{ErrorKind::Data, fmt::format("The JSON cannot be read ({}).", error.what()), file,
                     "Mend the file or export it again."};
    }
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
