#include "core/models/recognition/CtcAlphabet.h"

namespace trainyard {
namespace {

constexpr char32_t kReplacement = 0xFFFD;

/// Bytes of the sequence that starts with `first`; 0 for a byte that starts none.
int sequenceLength(unsigned char first) {
    if (first < 0x80)
        return 1;
    if (first >= 0xC2 && first < 0xE0)
        return 2;
    if (first >= 0xE0 && first < 0xF0)
        return 3;
    return first >= 0xF0 && first < 0xF5 ? 4 : 0;
}

/// The code point at `at`, and `at` moved behind it; one byte and U+FFFD where there is none.
char32_t takeCodePoint(std::string_view text, std::size_t& at) {
    const auto first = static_cast<unsigned char>(text[at]);
    const int length = sequenceLength(first);
    if (length == 1 || length == 0 || at + std::size_t(length) > text.size())
        return ++at, length == 1 ? char32_t(first) : kReplacement;
    char32_t value = first & (0xFF >> (length + 1));
    for (int i = 1; i < length; ++i) {
        const auto next = static_cast<unsigned char>(text[at + std::size_t(i)]);
        if ((next & 0xC0) != 0x80)
            return ++at, kReplacement;
        value = (value << 6) | (next & 0x3F);
    }
    const bool isOverlong = (length == 3 && value < 0x800) || (length == 4 && value < 0x10000);
    if (isOverlong || value > 0x10FFFF || (value >= 0xD800 && value < 0xE000))
        return ++at, kReplacement;
    at += std::size_t(length);
    return value;
}

void appendUtf8(std::string& text, char32_t c) {
    if (c < 0x80) {
        text += char(c);
    } else if (c < 0x800) {
        text += {char(0xC0 | (c >> 6)), char(0x80 | (c & 0x3F))};
    } else if (c < 0x10000) {
        text += {char(0xE0 | (c >> 12)), char(0x80 | ((c >> 6) & 0x3F)), char(0x80 | (c & 0x3F))};
    } else {
        text += {char(0xF0 | (c >> 18)), char(0x80 | ((c >> 12) & 0x3F)), char(0x80 | ((c >> 6) & 0x3F)),
                 char(0x80 | (c & 0x3F))};
    }
}

/// Letters whose lower case lies a fixed distance behind.
struct Shifted {
    char32_t firstUpper, lastUpper, distance;
};
constexpr Shifted kShifted[] = {
    {U'A', U'Z', 32},     {0x00C0, 0x00D6, 32}, {0x00D8, 0x00DE, 32}, // Latin
    {0x0391, 0x03A1, 32}, {0x03A3, 0x03AB, 32},                       // Greek
    {0x0410, 0x042F, 32}, {0x0400, 0x040F, 80},                       // Cyrillic
};

/// Ranges where upper and lower case alternate, beginning with an upper case letter.
struct Alternating {
    char32_t first, last;
};
constexpr Alternating kAlternating[] = {{0x0100, 0x012F}, {0x0132, 0x0137}, {0x0139, 0x0148}, {0x014A, 0x0177},
                                        {0x0179, 0x017E}, {0x0460, 0x0481}, {0x048A, 0x04BF}, {0x04D0, 0x052F},
                                        {0x1E00, 0x1E95}, {0x1EA0, 0x1EFF}};

} // namespace

std::vector<char32_t> codePoints(std::string_view text) {
    std::vector<char32_t> points;
    for (std::size_t at = 0; at < text.size();)
        points.push_back(takeCodePoint(text, at));
    return points;
}

std::string toUtf8(const std::vector<char32_t>& text) {
    std::string bytes;
    for (const char32_t character : text)
        appendUtf8(bytes, character);
    return bytes;
}

char32_t lowerCase(char32_t c) {
    for (const auto& [first, last, distance] : kShifted)
        if (c >= first && c <= last)
            return c + distance;
    for (const auto& [first, last] : kAlternating)
        if (c >= first && c <= last)
            return (c - first) % 2 == 0 ? c + 1 : c;
    return c;
}

char32_t upperCase(char32_t c) {
    for (const auto& [first, last, distance] : kShifted)
        if (c >= first + distance && c <= last + distance)
            return c - distance;
    for (const auto& [first, last] : kAlternating)
        if (c >= first && c <= last)
            return (c - first) % 2 == 1 ? c - 1 : c;
    return c;
}

CtcAlphabet::CtcAlphabet(std::string_view characters, bool isCaseSensitive) {
    for (const char32_t c : codePoints(characters))
        if (m_positions.emplace(c, std::int64_t(m_characters.size()) + 1).second)
            m_characters.push_back(c);
    if (isCaseSensitive)
        return;
    for (std::size_t i = 0; i < m_characters.size(); ++i)
        for (const char32_t other : {lowerCase(m_characters[i]), upperCase(m_characters[i])})
            m_positions.emplace(other, std::int64_t(i) + 1); // a character of the alphabet keeps its own
}

std::optional<std::int64_t> CtcAlphabet::positionOf(char32_t character) const {
    const auto found = m_positions.find(character);
    return found == m_positions.end() ? std::nullopt : std::optional(found->second);
}

std::optional<std::vector<std::int64_t>> CtcAlphabet::encode(std::string_view text) const {
    std::vector<std::int64_t> positions;
    for (const char32_t character : codePoints(text)) {
        const auto position = positionOf(character);
        if (!position)
            return std::nullopt;
        positions.push_back(*position);
    }
    return positions;
}

std::string CtcAlphabet::decode(const std::vector<std::int64_t>& positions) const {
    std::vector<char32_t> characters;
    for (const std::int64_t position : positions)
        if (position >= 1 && position < size())
            characters.push_back(m_characters[std::size_t(position - 1)]);
    return toUtf8(characters);
}

std::vector<char32_t> CtcAlphabet::unknownIn(std::string_view text) const {
    std::vector<char32_t> unknown;
    for (const char32_t character : codePoints(text))
        if (!positionOf(character))
            unknown.push_back(character);
    return unknown;
}

} // namespace trainyard
