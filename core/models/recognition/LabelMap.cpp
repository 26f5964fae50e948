#include "core/models/recognition/LabelMap.h"

#include "core/base/Letters.h"
#include "core/base/Text.h"

#include <stdexcept>

namespace trainyard {

LabelMap::LabelMap(std::string_view characters, bool isCaseSensitive, std::optional<char32_t> standIn)
    : m_alphabet(characters, isCaseSensitive) {
    if (!standIn)
        return;
    m_standIn = m_alphabet.positionOf(*standIn);
    if (!m_standIn)
        throw std::invalid_argument("LabelMap: the character for unknown ones must be in the alphabet.");
}

std::optional<std::vector<std::int64_t>> LabelMap::encode(std::string_view text) const {
    std::vector<std::int64_t> labels;
    for (const char32_t character : text::repaired(text::composed(text))) {
        auto position = m_alphabet.positionOf(character);
        if (!position)
            position = m_standIn;
        if (!position)
            return std::nullopt;
        labels.push_back(*position + kFromPosition);
    }
    return labels;
}

std::string LabelMap::decode(const std::vector<std::int64_t>& labels) const {
    std::vector<std::int64_t> positions;
    for (const std::int64_t label : labels)
        if (label >= kFirstCharacter)
            positions.push_back(label - kFromPosition);
    return m_alphabet.decode(positions);
}

std::string withAdded(std::string_view characters, bool isCaseSensitive, std::string_view text) {
    std::string all = text::composed(characters);
    for (const char32_t unknown : CtcAlphabet(characters, isCaseSensitive).unknownIn(text))
        if (!CtcAlphabet(all, isCaseSensitive).positionOf(unknown))
            all += text::encode(unknown);
    return all;
}

std::optional<std::string> builtInCharacters(std::string_view name) {
    std::string characters = "0123456789abcdefghijklmnopqrstuvwxyz";
    if (name == "lowercase")
        return characters;
    for (char c = 'A'; c <= 'Z'; ++c)
        characters += c;
    if (name == "allcases")
        return characters;
    for (char c = '!'; c <= '~'; ++c)
        if (!(c >= '0' && c <= '9') && !(c >= 'A' && c <= 'Z') && !(c >= 'a' && c <= 'z'))
            characters += c;
    return name == "allcases_symbols" ? std::optional(characters) : std::nullopt;
}

} // namespace trainyard
