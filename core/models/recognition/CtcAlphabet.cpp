#include "core/models/recognition/CtcAlphabet.h"

#include "core/base/Letters.h"
#include "core/base/Text.h"

namespace trainyard {

CtcAlphabet::CtcAlphabet(std::string_view characters, bool isCaseSensitive) : m_isCaseSensitive(isCaseSensitive) {
    for (const char32_t c : text::repaired(text::composed(characters)))
        if (m_positions.emplace(c, std::int64_t(m_characters.size()) + 1).second) {
            m_characters.push_back(c);
            m_folded.emplace(text::folded(c), std::int64_t(m_characters.size()));
        }
}

std::optional<std::int64_t> CtcAlphabet::positionOf(char32_t character) const {
    if (const auto own = m_positions.find(character); own != m_positions.end())
        return own->second;
    const auto other = m_isCaseSensitive ? m_folded.end() : m_folded.find(text::folded(character));
    return other == m_folded.end() ? std::nullopt : std::optional(other->second);
}

std::optional<std::vector<std::int64_t>> CtcAlphabet::encode(std::string_view text) const {
    std::vector<std::int64_t> positions;
    for (const char32_t character : text::repaired(text::composed(text))) {
        const auto position = positionOf(character);
        if (!position)
            return std::nullopt;
        positions.push_back(*position);
    }
    return positions;
}

std::string CtcAlphabet::decode(const std::vector<std::int64_t>& positions) const {
    std::u32string characters;
    for (const std::int64_t position : positions)
        if (position >= 1 && position < size())
            characters.push_back(m_characters[std::size_t(position - 1)]);
    return text::encode(characters);
}

std::vector<char32_t> CtcAlphabet::unknownIn(std::string_view text) const {
    std::vector<char32_t> unknown;
    for (const char32_t character : text::repaired(text::composed(text)))
        if (!positionOf(character))
            unknown.push_back(character);
    return unknown;
}

} // namespace trainyard
