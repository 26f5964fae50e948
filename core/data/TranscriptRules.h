#pragma once

#include "core/config/DataSteps.h"
#include "core/config/WordInput.h"
#include "core/data/ListedDataset.h"

#include <map>
#include <set>

namespace trainyard {

/// The characters that a recogniser writes, in NFC. Without case, a character stands for all that equal it then
/// (core/base/Letters.h), as the model's CtcAlphabet has it.
class Alphabet {
public:
    explicit Alphabet(const WordInput& input);
    Alphabet(const std::string& characters, bool isCaseSensitive);

    /// The alphabet's own form of `character`; nothing when it has none.
    std::optional<char32_t> own(char32_t character) const;
    bool has(char32_t character) const { return own(character).has_value(); }
    const std::u32string& characters() const { return m_characters; }
    bool isCaseSensitive() const { return m_isCaseSensitive; }

private:
    std::u32string m_characters;
    std::set<char32_t> m_known;
    std::map<char32_t, char32_t> m_folded; ///< to the first of the alphabet
    bool m_isCaseSensitive;
};

/// The steps that `input`'s model needs for a transcript: one a character, and where repeats cost (CTC) one more
/// between two equal neighbours. It has `input.longestWord`.
std::int64_t neededSteps(const std::u32string& transcript, const Alphabet& alphabet, const WordInput& input);

/// What is done with a transcript on its way in: it is brought to NFC; "###" (marked unreadable) and empty ones go; the
/// configured steps filter it; characters outside the alphabet skip the sample, go, are replaced by one of it, stay to
/// be added to it, or stop (`data.on_unknown_character`), and are counted one by one; in training, what needs more
/// steps than the model has goes too. Everything is noted in `problems`. Verbatim, only unreadable and empty ones go,
/// and nothing is changed.
class TranscriptIntake {
public:
    TranscriptIntake(const DatasetContext& context, std::vector<DataProblem>& problems);

    /// Sets `info.transcript`; false when the sample is left out. `file` is named in an error.
    Result<bool> accept(SampleInfo& info, const std::string& transcript, const std::string& file);

    /// Adds what was counted. Call once, at the end.
    void finish();

    /// Those that are to be added to the alphabet, by code point, UTF-8; small letters where case does not matter.
    std::string newCharacters() const;

private:
    std::u32string filtered(std::u32string transcript) const;
    /// Its characters as the rule leaves them; notes the unknown ones, of which `unknown` are the kinds.
    std::u32string known(const std::u32string& characters, const std::string& id, std::set<char32_t>& unknown);
    void note(const SampleInfo& info, const std::string& message);

    struct Count {
        std::int64_t characters = 0, samples = 0;
        std::string example;
    };

    const DatasetContext& m_context;
    std::vector<DataProblem>& m_problems;
    WordInput m_input;
    Alphabet m_alphabet;
    std::vector<DataStep> m_filters; ///< the steps that work on texts
    char32_t m_standIn = 0;          ///< what unknown characters are replaced by
    std::map<char32_t, Count> m_unknown;
    std::int64_t m_unknownSamples = 0, m_unreadable = 0;
};

} // namespace trainyard
