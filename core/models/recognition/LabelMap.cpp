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

} // namespace trainyard
