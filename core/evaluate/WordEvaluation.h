#pragma once

#include "core/evaluate/Metrics.h"

#include <cstdint>
#include <map>
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

    /// `id` and `score` are for the worst cases.
    void add(std::string_view truth, std::string_view read, const std::string& id = {}, double score = 0);

    std::int64_t words() const { return m_words; }

    /// "word_accuracy": the share of words read without a mistake.
    /// "character_error_rate": all insertions, deletions and replacements by all characters of the truth.
    /// "normalised_edit_distance": mean of the distance by the longer word's length, 0 is perfect.
    /// "total_edit_distance": the sum of the distance by the truth's length; a truth without a character to compare
    /// counts as one character long. Source: the ASTER trainer's evaluation, which divides by 0 there.
    /// All but the sum are -1 without a word; the error rate also where the truth has no character.
    Metrics metrics() const;

    /// How many words of a length there were and were read without a mistake, by the truth's characters as compared.
    struct LengthScore {
        std::int64_t words = 0, right = 0;
    };
    const std::map<std::int64_t, LengthScore>& lengths() const { return m_lengths; }

    /// A word that was read wrong.
    struct Case {
        std::string id, truth, read;
        std::int64_t distance = 0;
        double score = 0; ///< the reading's
    };
    static constexpr std::size_t kWorst = 20;
    /// Those furthest from the truth, of equally far ones the surest, then the first; `kWorst` at most.
    const std::vector<Case>& worst() const { return m_worst; }

private:
    void keep(Case one);

    WordRules m_rules;
    std::int64_t m_words = 0, m_right = 0, m_distance = 0, m_characters = 0;
    double m_normalised = 0, m_total = 0;
    std::map<std::int64_t, LengthScore> m_lengths;
    std::vector<Case> m_worst;
};

/// Code points of `text` as `rules` compare them. Bytes that are no UTF-8 stand for U+FFFD each.
std::u32string comparable(std::string_view text, const WordRules& rules);

/// Least number of insertions, deletions and replacements. Source: Levenshtein 1966.
std::int64_t editDistance(const std::u32string& a, const std::u32string& b);

} // namespace trainyard
