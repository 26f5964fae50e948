#pragma once

#include "core/evaluate/CocoEvaluation.h" // Metrics

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace trainyard {

/// When two words count as equal.
struct WordRules {
    bool caseSensitive = false;
    bool alphanumericOnly = false; ///< only 0-9a-zA-Z is compared, as the scene-text benchmarks do
};

/// How well words are read. Words are compared by the code points of Unicode's composed normal form (NFC), so that one
/// way to write an accent is as good as another, and without case as alphabets are (core/base/Letters.h). One thread.
class WordEvaluation {
public:
    explicit WordEvaluation(WordRules rules = {}) : m_rules(rules) {}

    void add(std::string_view truth, std::string_view read);

    std::int64_t words() const { return m_words; }

    /// "word_accuracy": the share of words read without a mistake.
    /// "character_error_rate": all insertions, deletions and replacements by all characters of the truth.
    /// "normalised_edit_distance": mean of the distance by the longer word's length, 0 is perfect.
    /// All are -1 without a word; the error rate also where the truth has no character.
    Metrics metrics() const;

private:
    WordRules m_rules;
    std::int64_t m_words = 0, m_right = 0, m_distance = 0, m_characters = 0;
    double m_normalised = 0;
};

/// Code points of `text` as `rules` compare them. Bytes that are no UTF-8 stand for U+FFFD each.
std::u32string comparable(std::string_view text, const WordRules& rules);

/// Least number of insertions, deletions and replacements. Source: Levenshtein 1966.
std::int64_t editDistance(const std::u32string& a, const std::u32string& b);

} // namespace trainyard
