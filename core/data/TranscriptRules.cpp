#include "core/data/TranscriptRules.h"

#include "core/base/Letters.h"
#include "core/base/Text.h"

#include <fmt/format.h>

namespace trainyard {

Alphabet::Alphabet(const WordInput& input) : Alphabet(input.alphabet, input.caseSensitive) {}

Alphabet::Alphabet(const std::string& characters, bool isCaseSensitive)
    : m_characters(text::decode(text::composed(characters)).value_or(U"")),
      m_known(m_characters.begin(), m_characters.end()), m_isCaseSensitive(isCaseSensitive) {
    for (const char32_t c : m_characters)
        m_folded.emplace(text::folded(c), c);
}

std::optional<char32_t> Alphabet::own(char32_t character) const {
    if (m_known.contains(character))
        return character;
    const auto other = m_isCaseSensitive ? m_folded.end() : m_folded.find(text::folded(character));
    return other == m_folded.end() ? std::nullopt : std::optional(other->second);
}

namespace {
/// A transcript as a message names it: its beginning, where it is long.
std::string named(const std::u32string& transcript) {
    constexpr std::size_t kMost = 60;
    return text::encode(transcript.substr(0, kMost)) + (transcript.size() > kMost ? "…" : "");
}
} // namespace

std::int64_t neededSteps(const std::u32string& transcript, const Alphabet& alphabet, const WordInput& input) {
    std::int64_t steps = std::int64_t(transcript.size());
    if (!input.repeatsCost)
        return steps;
    for (std::size_t i = 1; i < transcript.size(); ++i)
        steps += alphabet.own(transcript[i]).value_or(transcript[i]) ==
                 alphabet.own(transcript[i - 1]).value_or(transcript[i - 1]);
    return steps;
}

TranscriptIntake::TranscriptIntake(const DatasetContext& context, std::vector<DataProblem>& problems)
    : m_context(context), m_problems(problems), m_input(wordInput(context.config.model)), m_alphabet(m_input) {
    const RunConfig& config = context.config;
    const auto steps = parseDataSteps(context.isForTraining ? config.data.steps : config.evaluate.steps);
    for (const DataStep& step : steps.value_or(std::vector<DataStep>())) // makeTransforms refuses wrong ones
        if (step.name == "string_filtering")
            m_filters.push_back(step);
    if (const auto standIn = text::repaired(text::composed(config.data.unknownCharacter)); !standIn.empty())
        m_standIn = standIn.front();
}

std::u32string TranscriptIntake::filtered(std::u32string transcript) const {
    for (const DataStep& filter : m_filters)
        transcript = text::repaired(filteredText(filter, text::encode(transcript)));
    return transcript;
}

std::u32string TranscriptIntake::known(const std::u32string& characters, const std::string& id,
                                       std::set<char32_t>& unknown) {
    const std::string& rule = m_context.config.data.onUnknownCharacter;
    std::u32string known;
    for (const char32_t character : characters) {
        if (m_alphabet.has(character)) {
            known += character;
            continue;
        }
        Count& count = m_unknown[character];
        ++count.characters;
        count.samples += unknown.insert(character).second;
        if (count.example.empty())
            count.example = id;
        if (rule == "replace" && m_standIn != 0)
            known += m_standIn;
        if (rule == "add")
            known += character;
    }
    return known;
}

std::string TranscriptIntake::newCharacters() const {
    std::u32string characters;
    if (m_context.config.data.onUnknownCharacter != "add" || m_context.isVerbatim)
        return {};
    for (const auto& [character, count] : m_unknown) {
        const char32_t own = m_alphabet.isCaseSensitive() ? character : text::lower(character);
        if (characters.find(own) == std::u32string::npos && !m_alphabet.has(own))
            characters += own;
    }
    return text::encode(characters);
}

void TranscriptIntake::note(const SampleInfo& info, const std::string& message) {
    m_problems.push_back({DataProblem::Severity::Warning, info.id, message});
}

Result<bool> TranscriptIntake::accept(SampleInfo& info, const std::string& transcript, const std::string& file) {
    if (transcript == "###") {
        ++m_unreadable;
        return false;
    }
    auto characters = text::decode(text::composed(transcript)); // the one place where transcripts become NFC
    if (!characters) {
        note(info, "The transcript is not UTF-8; the sample is left out.");
        return false;
    }
    if (m_context.isVerbatim) {
        info.transcript = transcript;
        if (transcript.empty())
            note(info, "The transcript is empty; the sample is left out.");
        return !transcript.empty();
    }
    characters = filtered(std::move(*characters));
    std::set<char32_t> unknown;
    const std::u32string known = this->known(*characters, info.id, unknown);
    const std::string& rule = m_context.config.data.onUnknownCharacter;
    if (!unknown.empty() && rule == "stop")
        return Error{ErrorKind::Data,
                     fmt::format("The transcript \"{}\" of {} has the character \"{}\", which the alphabet lacks.",
                                 named(*characters), info.id, text::encode(*unknown.begin())),
                     file,
                     "Add it to " + m_input.section +
                         ".alphabet, or set data.on_unknown_character to skip, remove, replace or add."};
    m_unknownSamples += !unknown.empty();
    if (!unknown.empty() && rule == "skip")
        return false;
    if (known.empty()) {
        note(info, "The transcript is empty; the sample is left out.");
        return false;
    }
    const std::int64_t needed = neededSteps(known, m_alphabet, m_input), available = m_input.longestWord;
    if (needed > available) {
        const std::string room = m_input.repeatsCost
                                     ? fmt::format("steps (length and repeats), the width of {} gives", m_input.width)
                                     : "steps (a character each), the decoder has";
        note(info, fmt::format("\"{}\" needs {} {} {}{}.", named(known), needed, room, available,
                               m_context.isForTraining ? "; the sample is left out" : ""));
        if (m_context.isForTraining)
            return false;
    }
    info.transcript = text::encode(known);
    return true;
}

void TranscriptIntake::finish() {
    const std::string& rule = m_context.config.data.onUnknownCharacter;
    const char* fate = rule == "remove"    ? "lose them"
                       : rule == "replace" ? "have another one in their place"
                       : rule == "add"     ? "bring them into it"
                                           : "are left out";
    if (m_unknownSamples > 0)
        m_problems.push_back(
            {DataProblem::Severity::Warning, "",
             fmt::format("{} samples have characters outside the alphabet and {}.", m_unknownSamples, fate)});
    for (const auto& [character, count] : m_unknown)
        m_problems.push_back(
            {DataProblem::Severity::Warning, count.example,
             fmt::format("The alphabet lacks \"{}\" (U+{:04X}): {} times in {} samples.", text::encode(character),
                         std::uint32_t(character), count.characters, count.samples)});
    if (m_unreadable > 0)
        m_problems.push_back({DataProblem::Severity::Note, "",
                              fmt::format("{} samples are marked unreadable (###) and are left out.", m_unreadable)});
}

} // namespace trainyard
