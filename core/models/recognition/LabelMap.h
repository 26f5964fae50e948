#pragma once

#include "core/models/recognition/CtcAlphabet.h"

namespace trainyard {

/// The labels of an attention decoder: the start of a word, its end, then the characters of an alphabet, which may be
/// any of Unicode. Immutable, so any thread may ask.
class LabelMap {
public:
    static constexpr std::int64_t kStart = 0, kEnd = 1, kFirstCharacter = 2;
    /// From a position of the alphabet, which counts from 1, to the label.
    static constexpr std::int64_t kFromPosition = kFirstCharacter - 1;

    /// `standIn` is written for any character that is not in the alphabet, and must be in it; without one such
    /// characters are an answer of their own.
    LabelMap(std::string_view characters, bool isCaseSensitive, std::optional<char32_t> standIn = std::nullopt);

    /// Characters, start and end.
    std::int64_t size() const { return m_alphabet.size() + 1; }
    /// Nothing when some character is unknown and no other stands in for it. Neither start nor end is among them.
    std::optional<std::vector<std::int64_t>> encode(std::string_view text) const;
    /// Start, end and labels beyond the last stand for nothing.
    std::string decode(const std::vector<std::int64_t>& labels) const;
    const CtcAlphabet& alphabet() const { return m_alphabet; }

private:
    CtcAlphabet m_alphabet;
    std::optional<std::int64_t> m_standIn; ///< its position
};

/// `characters` with those of `text` behind that it does not have: for who wants to add what the data has.
std::string withAdded(std::string_view characters, bool isCaseSensitive, std::string_view text);

} // namespace trainyard
