#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace trainyard {

/// The characters a recogniser knows, by Unicode code point. Position 0 is CTC's blank; the first character is 1.
/// Immutable, so any thread may ask.
class CtcAlphabet {
public:
    /// `characters` is UTF-8 and is brought to NFC; one that comes twice counts once. Where case does not matter, a
    /// character that is not in the alphabet stands for the first one that equals it without case
    /// (core/base/Letters.h).
    explicit CtcAlphabet(std::string_view characters, bool isCaseSensitive = true);

    /// Characters and the blank.
    std::int64_t size() const { return std::int64_t(m_characters.size()) + 1; }
    /// Nothing for a character the alphabet does not know. Texts are brought to NFC, a single character is taken as it
    /// is.
    std::optional<std::int64_t> positionOf(char32_t character) const;
    /// Nothing when some character is unknown.
    std::optional<std::vector<std::int64_t>> encode(std::string_view text) const;
    /// The text of positions; blanks and positions outside the alphabet stand for nothing.
    std::string decode(const std::vector<std::int64_t>& positions) const;
    /// Each character of `text` that the alphabet does not know, in order, repeats too.
    std::vector<char32_t> unknownIn(std::string_view text) const;

private:
    std::vector<char32_t> m_characters;
    std::map<char32_t, std::int64_t> m_positions, m_folded;
    bool m_isCaseSensitive;
};

} // namespace trainyard
