#include "core/config/ValueText.h"

#include "core/base/Text.h"
#include "core/config/Schema.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <fmt/format.h>

namespace trainyard {
namespace {

bool isPlain(std::string_view text) {
    static constexpr std::array<std::string_view, 10> kWords = {"true", "false", "yes", "no", "on",
                                                                "off",  "null",  "y",   "n",  "~"};
    const auto isSafe = [](char c) {
        return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
               std::string_view("_./+-").find(c) != std::string_view::npos;
    };
    const auto isLetter = [](char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); };
    if (text.empty() || !(isLetter(text[0]) || text[0] == '/') || !std::all_of(text.begin(), text.end(), isSafe))
        return false;
    std::string lower(text);
    std::transform(lower.begin(), lower.end(), lower.begin(),
                   [](char c) { return c >= 'A' && c <= 'Z' ? char(c + 32) : c; });
    return std::find(kWords.begin(), kWords.end(), lower) == kWords.end();
}

/// U+0085, U+2028, U+2029 and U+FEFF mean something to a YAML reader; length in bytes, or 0.
std::size_t specialLength(std::string_view rest, const char*& escape) {
    if (rest.starts_with("\xC2\x85"))
        return escape = "\\u0085", 2;
    if (rest.starts_with("\xE2\x80\xA8"))
        return escape = "\\u2028", 3;
    if (rest.starts_with("\xE2\x80\xA9"))
        return escape = "\\u2029", 3;
    if (rest.starts_with("\xEF\xBB\xBF"))
        return escape = "\\uFEFF", 3;
    return 0;
}

std::string escaped(char c) {
    switch (c) {
    case '"':
        return "\\\"";
    case '\\':
        return "\\\\";
    case '\n':
        return "\\n";
    case '\t':
        return "\\t";
    case '\r':
        return "\\r";
    default:
        break;
    }
    const auto byte = static_cast<unsigned char>(c);
    return byte < 0x20 || byte == 0x7F ? fmt::format("\\x{:02X}", byte) : std::string(1, c);
}

std::string asText(bool value) {
    return value ? "true" : "false";
}
std::string asText(std::int64_t value) {
    return fmt::to_string(value);
}
std::string asText(double value) {
    return shortest(value);
}
std::string asText(const std::string& value) {
    return yamlQuoted(value);
}

std::string asText(const DatasetConfig& entry) {
    static const DatasetConfig defaults;
    std::string text;
    for (const auto& field : Schema::instance().datasetFields()) {
        const auto value = field.read(entry);
        if (value != field.read(defaults) || field.key == "format")
            text += (text.empty() ? "" : ", ") + field.key + ": " + toText(value);
    }
    return "{" + text + "}";
}

std::string asText(const std::map<std::string, std::string>& map) {
    std::string text;
    for (const auto& [key, value] : map)
        text += (text.empty() ? "" : ", ") + yamlQuoted(key) + ": " + yamlQuoted(value);
    return "{" + text + "}";
}

template <class T>
std::string asText(const std::vector<T>& list) {
    std::string text;
    for (const auto& item : list)
        text += (text.empty() ? "" : ", ") + asText(item);
    return "[" + text + "]";
}

} // namespace

std::string yamlQuoted(std::string_view text) {
    if (isPlain(text))
        return std::string(text);
    std::string result = "\"";
    for (std::size_t i = 0; i < text.size();) {
        const char* escape = nullptr;
        if (const auto length = specialLength(text.substr(i), escape)) {
            result += escape;
            i += length;
        } else {
            result += escaped(text[i++]);
        }
    }
    return result + "\"";
}

std::string shortest(double value) {
    std::array<char, 32> buffer;
    const auto end = std::to_chars(buffer.data(), buffer.data() + buffer.size(), value).ptr;
    std::string text(buffer.data(), end);
    if (text.find_first_not_of("-0123456789") == std::string::npos)
        text += ".0";
    return text;
}

std::optional<double> readReal(std::string_view text) {
    if (text.starts_with('+'))
        text.remove_prefix(1);
    double value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc() || end != text.data() + text.size() || !std::isfinite(value) || text.starts_with("+"))
        return std::nullopt;
    return value;
}

std::optional<std::int64_t> readInteger(std::string_view text) {
    if (text.starts_with('+'))
        text.remove_prefix(1);
    std::int64_t value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error == std::errc() && end == text.data() + text.size())
        return value;
    const auto real = readReal(text);
    if (!real || *real != std::floor(*real) || std::abs(*real) >= 0x1p53) // beyond it a double is no longer exact
        return std::nullopt;
    return static_cast<std::int64_t>(*real);
}

bool isUtf8(std::string_view bytes) {
    return text::decode(bytes).has_value();
}

std::string shortened(std::string text) {
    constexpr std::size_t kLongest = 60;
    if (text.size() <= kLongest)
        return text;
    auto end = kLongest;
    while (end > 0 && (static_cast<unsigned char>(text[end]) & 0xC0) == 0x80) // not in the middle of a character
        --end;
    return text.substr(0, end) + "…";
}

std::string toText(const FieldValue& value) {
    return std::visit([](const auto& held) { return asText(held); }, value);
}

} // namespace trainyard
