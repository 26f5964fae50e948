#include "core/data/WordMaker.h"

#include "core/base/AtomicFile.h"
#include "core/base/Letters.h"
#include "core/base/Text.h"

#include <fmt/format.h>

#include <algorithm>

namespace trainyard {
namespace {

/// Pieces of syllables, common ones more than once.
constexpr const char* kOnsets[] = {"b",  "br", "c",  "ch", "cl", "cr",  "d", "d",  "dr", "f",  "fl", "fr",
                                   "g",  "gr", "h",  "j",  "k",  "l",   "l", "m",  "m",  "n",  "n",  "p",
                                   "pl", "pr", "qu", "r",  "r",  "s",   "s", "sc", "sh", "sl", "sp", "st",
                                   "t",  "t",  "th", "tr", "v",  "str", "w", "y",  "z"};
constexpr const char* kVowels[] = {"a", "a",  "e",  "e",  "e",  "i",  "i",  "o",  "o",
                                   "u", "ai", "ea", "ee", "io", "oa", "oo", "ou", "ay"};
constexpr const char* kCodas[] = {"",  "",  "",  "",   "n",  "n",  "r",  "r", "l",  "s",  "s",  "t",
                                  "t", "d", "m", "ng", "nd", "nt", "st", "x", "ck", "ll", "rd", "p"};

template <std::size_t N>
std::vector<std::u32string> writable(const char* const (&pieces)[N], const Alphabet& alphabet) {
    std::vector<std::u32string> result;
    for (const char* piece : pieces) {
        std::u32string own;
        for (const char* c = piece; *c; ++c)
            if (const auto character = alphabet.own(char32_t(*c)))
                own += *character;
        if (own.size() == std::string_view(piece).size())
            result.push_back(own);
    }
    return result;
}

template <class List>
const auto& oneOf(const List& list, Random& random) {
    return list[std::size_t(random.integer(0, std::int64_t(list.size()) - 1))];
}

bool isDigit(char32_t c) {
    return c >= '0' && c <= '9';
}
bool isLetter(char32_t c) {
    return text::lower(c) != c || text::upper(c) != c;
}

/// Words with this are for validation alone.
bool isSetAside(const std::u32string& word) {
    std::uint64_t mixed = 0;
    for (const char32_t c : word)
        mixed = deriveSeed(mixed, text::lower(c));
    return mixed % 10 == 0;
}

/// The alphabet that is drawn, and the other case of its letters where the model does not tell them apart.
std::u32string drawnCharacters(const RunConfig& config) {
    const std::string& own = config.data.rendered.alphabet;
    const WordInput input = wordInput(config.model);
    std::u32string characters = text::decode(text::composed(own.empty() ? input.alphabet : own)).value_or(U"");
    if (own.empty() && !input.caseSensitive)
        for (std::size_t i = 0, count = characters.size(); i < count; ++i)
            for (const char32_t other : {text::lower(characters[i]), text::upper(characters[i])})
                if (characters.find(other) == std::u32string::npos)
                    characters += other;
    std::erase(characters, U' ');
    return characters;
}

} // namespace

WordMaker::WordMaker(const RunConfig& config)
    : m_input(wordInput(config.model)), m_alphabet(m_input), m_characters(drawnCharacters(config)),
      m_minLength(config.data.rendered.minLength),
      m_maxLength(std::max(config.data.rendered.minLength, config.data.rendered.maxLength)) {
    const Alphabet drawn(text::encode(m_characters), false);
    m_onsets = writable(kOnsets, drawn);
    m_vowels = writable(kVowels, drawn);
    m_codas = writable(kCodas, drawn);
    for (const char32_t c : m_characters) {
        if (isDigit(c))
            m_digits += c;
        else if (std::u32string_view(U".,:-/%").find(c) != std::u32string_view::npos)
            m_marks += c;
    }
    m_hasBothCases = std::any_of(m_characters.begin(), m_characters.end(), [&](char32_t c) {
        return text::upper(c) != c && m_characters.find(text::upper(c)) != std::u32string::npos;
    });
}

Result<WordMaker> WordMaker::make(const RunConfig& config, std::vector<DataProblem>& problems) {
    WordMaker maker(config);
    for (const char32_t c : maker.m_characters)
        if (!maker.m_alphabet.has(c))
            return Error{
                ErrorKind::Data,
                fmt::format("data.rendered.alphabet has \"{}\", which the model cannot write.", text::encode(c)),
                "data.rendered.alphabet", "Take it out, or add it to " + maker.m_input.section + ".alphabet."};
    if (maker.m_characters.empty())
        return Error{ErrorKind::Data, "The alphabet has no characters to draw.", maker.m_input.section + ".alphabet",
                     "Add characters to it."};
    if (!config.data.rendered.words.empty())
        if (auto read = maker.readWords(config.data.rendered.words, problems); !read)
            return read.error();
    return maker;
}

bool WordMaker::fits(const std::u32string& word) const {
    return neededSteps(word, m_alphabet, m_input) <= m_input.longestWord;
}

Result<void> WordMaker::readWords(const std::string& file, std::vector<DataProblem>& problems) {
    const auto content = readTextFile(file, ErrorKind::Data);
    if (!content)
        return content.error();
    std::int64_t leftOut = 0;
    for (const auto line : text::lines(*content)) {
        const auto trimmed = text::trimmed(line);
        if (trimmed.empty())
            continue;
        const auto word = text::decode(text::composed(trimmed));
        const bool isDrawable = word && std::all_of(word->begin(), word->end(), [&](char32_t c) {
                                    return m_characters.find(c) != std::u32string::npos;
                                });
        if (isDrawable && fits(*word))
            m_words.push_back(*word);
        else
            ++leftOut;
    }
    if (m_words.empty())
        return Error{ErrorKind::Data, "No word of the file can be drawn and read with this alphabet and width.", file,
                     "Write a word a line."};
    if (leftOut > 0)
        problems.push_back(
            {DataProblem::Severity::Warning, file,
             fmt::format("{} words have other characters or do not fit the width; they are left out.", leftOut)});
    return {};
}

std::u32string WordMaker::pronounceable(Random& random, std::size_t length) const {
    std::u32string word;
    while (word.size() < length) {
        if (!word.empty() || random.chance(0.8))
            word += oneOf(m_onsets, random);
        word += oneOf(m_vowels, random);
        if (!m_codas.empty() && random.chance(0.6))
            word += oneOf(m_codas, random);
    }
    word.resize(length);
    return word;
}

std::u32string WordMaker::number(Random& random, std::size_t length) const {
    std::u32string word;
    for (std::size_t i = 0; i < length; ++i) {
        const bool isMark = !m_marks.empty() && i > 0 && i + 1 < length && isDigit(word.back()) && random.chance(0.15);
        word += isMark ? oneOf(m_marks, random) : oneOf(m_digits, random);
    }
    return word;
}

std::u32string WordMaker::mixed(Random& random, std::size_t length) const {
    std::u32string word;
    for (std::size_t i = 0; i < length; ++i)
        word += oneOf(m_characters, random);
    return word;
}

std::u32string WordMaker::inSomeCase(std::u32string word, Random& random) const {
    if (!m_hasBothCases)
        return word;
    const double style = random.uniform();
    for (std::size_t i = 0; i < word.size(); ++i) {
        const bool isCapital = style < 0.4 || (style < 0.65 && i == 0);
        const char32_t wanted = isCapital ? text::upper(word[i]) : text::lower(word[i]);
        if (isLetter(word[i]) && m_characters.find(wanted) != std::u32string::npos)
            word[i] = wanted;
    }
    return word;
}

std::u32string WordMaker::made(Random& random) const {
    const auto length = std::size_t(random.integer(m_minLength, m_maxLength));
    const double kind = random.uniform();
    if (kind < 0.12 && !m_digits.empty())
        return number(random, length);
    if (kind < 0.25 || m_onsets.empty() || m_vowels.empty())
        return mixed(random, length);
    return inSomeCase(pronounceable(random, length), random);
}

std::u32string WordMaker::word(Random& random, bool isForValidation) const {
    if (!m_words.empty())
        return oneOf(m_words, random);
    std::u32string word;
    for (int tries = 0; tries < 200; ++tries) {
        word = made(random);
        if (fits(word) && isSetAside(word) == isForValidation)
            return word;
    }
    while (!fits(word)) // an alphabet or a width too small to choose from
        word.pop_back();
    return word;
}

std::string WordMaker::transcript(const std::u32string& word) const {
    std::u32string own;
    for (const char32_t c : word)
        own += m_alphabet.own(c).value_or(c);
    return text::encode(own);
}

} // namespace trainyard
