#include "core/data/Text.h"

#include <fmt/format.h>

#include <algorithm>

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

bool isBetween(char32_t c, char32_t first, char32_t last) {
    return c >= first && c <= last;
}

/// Blocks in which a capital and its small letter are neighbours; `capitalIsEven` tells which comes first.
bool isPaired(char32_t c, bool& capitalIsEven) {
    capitalIsEven = !(isBetween(c, 0x139, 0x148) || isBetween(c, 0x179, 0x17E));
    return isBetween(c, 0x100, 0x12F) || isBetween(c, 0x132, 0x137) || isBetween(c, 0x139, 0x148) ||
           isBetween(c, 0x14A, 0x177) || isBetween(c, 0x179, 0x17E) || isBetween(c, 0x460, 0x481) ||
           isBetween(c, 0x48A, 0x4BF) || isBetween(c, 0x4D0, 0x52F) || isBetween(c, 0x1E00, 0x1E95) ||
           isBetween(c, 0x1EA0, 0x1EFF);
}

} // namespace

std::optional<std::u32string> decode(std::string_view utf8) {
    std::u32string characters;
    characters.reserve(utf8.size());
    for (std::size_t at = 0; at < utf8.size();) {
        const auto lead = std::uint8_t(utf8[at]);
        const std::size_t length = sequenceLength(lead);
        if (length == 0 || at + length > utf8.size())
            return {};
        char32_t c = length == 1 ? lead : lead & (0x7F >> length);
        for (std::size_t i = 1; i < length; ++i) {
            const auto next = std::uint8_t(utf8[at + i]);
            if ((next & 0xC0) != 0x80)
                return {};
            c = c << 6 | (next & 0x3F);
        }
        const bool isOverlong = (length == 3 && c < 0x800) || (length == 4 && c < 0x10000);
        if (isOverlong || c > 0x10FFFF || isBetween(c, 0xD800, 0xDFFF))
            return {};
        characters += c;
        at += length;
    }
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

char32_t lower(char32_t c) {
    if (isBetween(c, 'A', 'Z') || (isBetween(c, 0xC0, 0xDE) && c != 0xD7) ||
        (isBetween(c, 0x391, 0x3A9) && c != 0x3A2) || isBetween(c, 0x410, 0x42F))
        return c + 32;
    if (isBetween(c, 0x400, 0x40F))
        return c + 80;
    bool capitalIsEven = true;
    if (isPaired(c, capitalIsEven))
        return (c % 2 == 0) == capitalIsEven ? c + 1 : c;
    return c == 0x178 ? 0xFF : c;
}

char32_t upper(char32_t c) {
    if (isBetween(c, 'a', 'z') || (isBetween(c, 0xE0, 0xFE) && c != 0xF7) ||
        (isBetween(c, 0x3B1, 0x3C9) && c != 0x3C2) || isBetween(c, 0x430, 0x44F))
        return c - 32;
    if (isBetween(c, 0x450, 0x45F))
        return c - 80;
    bool capitalIsEven = true;
    if (isPaired(c, capitalIsEven))
        return (c % 2 == 0) == capitalIsEven ? c : c - 1;
    return c == 0xFF ? 0x178 : c;
}

std::vector<std::string_view> lines(std::string_view text) {
    if (text.starts_with("\xEF\xBB\xBF"))
        text.remove_prefix(3);
    std::vector<std::string_view> result;
    while (!text.empty()) {
        const std::size_t end = std::min(text.find('\n'), text.size());
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

std::string place(std::string_view text, std::size_t offset) {
    const auto before = text.substr(0, std::min(offset, text.size()));
    const auto line = std::count(before.begin(), before.end(), '\n') + 1;
    const std::size_t lineStart = before.rfind('\n') == std::string_view::npos ? 0 : before.rfind('\n') + 1;
    return fmt::format("line {}, column {}", line, before.size() - lineStart + 1);
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
