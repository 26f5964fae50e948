#include "core/base/Text.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdint>

namespace trainyard::text {
namespace {

/// How many bytes the sequence that starts with `lead` has; 0 for a byte that starts none.
std::size_t sequenceLength(std::uint8_t lead) {
    if (lead < 0x80)
        return 1;
    if (lead >= 0xC2 && lead < 0xE0)
        return 2;
    if (lead >= 0xE0 && lead < 0xF0)
        return 3;
    return lead >= 0xF0 && lead < 0xF5 ? 4 : 0;
}

/// The code point that begins at `at`, which moves behind it; nothing, and one byte further, where there is none.
std::optional<char32_t> take(std::string_view utf8, std::size_t& at) {
    const std::size_t first = at++;
    const auto lead = std::uint8_t(utf8[first]);
    const std::size_t length = sequenceLength(lead);
    if (length == 0 || first + length > utf8.size())
        return {};
    char32_t c = length == 1 ? lead : lead & (0x7F >> length);
    for (std::size_t i = 1; i < length; ++i) {
        const auto next = std::uint8_t(utf8[first + i]);
        if ((next & 0xC0) != 0x80)
            return {};
        c = c << 6 | (next & 0x3F);
    }
    const bool isOverlong = (length == 3 && c < 0x800) || (length == 4 && c < 0x10000);
    if (isOverlong || c > 0x10FFFF || (c >= 0xD800 && c < 0xE000))
        return {};
    at = first + length;
    return c;
}

} // namespace

std::optional<std::u32string> decode(std::string_view utf8) {
    std::u32string characters;
    characters.reserve(utf8.size());
    for (std::size_t at = 0; at < utf8.size();) {
        const auto c = take(utf8, at);
        if (!c)
            return {};
        characters += *c;
    }
    return characters;
}

std::u32string repaired(std::string_view utf8) {
    constexpr char32_t kReplacement = 0xFFFD;
    std::u32string characters;
    for (std::size_t at = 0; at < utf8.size();)
        characters += take(utf8, at).value_or(kReplacement);
    return characters;
}

std::string encode(char32_t c) {
    std::string bytes;
    if (c < 0x80) {
        bytes += char(c);
    } else if (c < 0x800) {
        bytes += char(0xC0 | c >> 6);
        bytes += char(0x80 | (c & 0x3F));
    } else if (c < 0x10000) {
        bytes += char(0xE0 | c >> 12);
        bytes += char(0x80 | (c >> 6 & 0x3F));
        bytes += char(0x80 | (c & 0x3F));
    } else {
        bytes += char(0xF0 | c >> 18);
        bytes += char(0x80 | (c >> 12 & 0x3F));
        bytes += char(0x80 | (c >> 6 & 0x3F));
        bytes += char(0x80 | (c & 0x3F));
    }
    return bytes;
}

std::string encode(std::u32string_view characters) {
    std::string bytes;
    for (const char32_t c : characters)
        bytes += encode(c);
    return bytes;
}

std::vector<std::string_view> lines(std::string_view text) {
    if (text.starts_with("\xEF\xBB\xBF"))
        text.remove_prefix(3);
    std::vector<std::string_view> result;
    const char ending = text.find('\n') == std::string_view::npos ? '\r' : '\n'; // CR alone: of old Macs
    while (!text.empty()) {
        const std::size_t end = std::min(text.find(ending), text.size());
        auto line = text.substr(0, end);
        if (line.ends_with('\r'))
            line.remove_suffix(1);
        result.push_back(line);
        text.remove_prefix(std::min(end + 1, text.size()));
    }
    return result;
}

std::string_view trimmed(std::string_view text) {
    const std::size_t first = text.find_first_not_of(" \t");
    if (first == std::string_view::npos)
        return {};
    return text.substr(first, text.find_last_not_of(" \t") - first + 1);
}

std::string lowered(std::string text) {
    std::transform(text.begin(), text.end(), text.begin(),
                   [](char c) { return c >= 'A' && c <= 'Z' ? char(c + 'a' - 'A') : c; });
    return text;
}

std::optional<double> number(std::string_view text) {
    text = trimmed(text);
    double value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc() || end != text.data() + text.size() || !std::isfinite(value))
        return {};
    return value;
}

Place placeAt(std::string_view text, std::size_t offset) {
    const auto before = text.substr(0, std::min(offset, text.size()));
    const std::size_t lineStart = before.rfind('\n') == std::string_view::npos ? 0 : before.rfind('\n') + 1;
    return {std::size_t(std::count(before.begin(), before.end(), '\n')) + 1, before.size() - lineStart + 1};
}

std::string place(std::string_view text, std::size_t offset) {
    const auto [line, column] = placeAt(text, offset);
    return fmt::format("line {}, column {}", line, column);
}

std::string joined(const std::vector<std::string>& names, std::size_t most) {
    std::string result;
    for (std::size_t i = 0; i < std::min(most, names.size()); ++i)
        result += (i ? ", " : "") + names[i];
    if (names.size() > most)
        result += fmt::format(" and {} more", names.size() - most);
    return names.empty() ? "none" : result;
}

} // namespace trainyard::text
