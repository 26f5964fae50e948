#pragma once

#include "core/base/Error.h"
#include "core/base/Random.h"
#include "core/config/RunConfig.h"
#include "core/data/TranscriptRules.h"

#include <string>
#include <vector>

namespace trainyard {

/// The words that are drawn: from a file, or pronounceable ones, numbers and mixed strings within the alphabet. What it
/// makes for validation it never makes for training (a tenth of all made words is set aside), unless a file gives the
/// words or the alphabet is too small. Immutable; any thread.
class WordMaker {
public:
    /// Fails when the words file cannot be used. `problems` says which of its words were left out.
    static Result<WordMaker> make(const RunConfig& config, std::vector<DataProblem>& problems);

    std::u32string word(Random& random, bool isForValidation) const;
    /// What is asked of a recogniser that sees `word`: its characters in the alphabet's own form.
    std::string transcript(const std::u32string& word) const;
    /// Every character that may be drawn.
    const std::u32string& characters() const { return m_characters; }
    /// The words of the file that was given; empty where words are made.
    const std::vector<std::u32string>& words() const { return m_words; }

private:
    WordMaker(const RunConfig& config);

    std::u32string made(Random& random) const;
    std::u32string pronounceable(Random& random, std::size_t length) const;
    std::u32string number(Random& random, std::size_t length) const;
    std::u32string mixed(Random& random, std::size_t length) const;
    std::u32string inSomeCase(std::u32string word, Random& random) const;
    bool fits(const std::u32string& word) const;
    Result<void> readWords(const std::string& file, std::vector<DataProblem>& problems);

    WordInput m_input;
    Alphabet m_alphabet;
    std::u32string m_characters, m_digits, m_marks;
    std::vector<std::u32string> m_onsets, m_vowels, m_codas;
    std::vector<std::u32string> m_words;
    std::int64_t m_minLength, m_maxLength;
    bool m_hasBothCases = false;
};

} // namespace trainyard
