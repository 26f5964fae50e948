#include "core/evaluate/Lexicon.h"

#include "core/base/InputFile.h"
#include "core/base/Text.h"
#include "core/evaluate/WordEvaluation.h"

namespace trainyard {

std::string nearestWord(std::string_view text, const std::vector<std::string>& lexicon) {
    const WordRules rules; // without case
    const std::u32string wanted = comparable(text, rules);
    const std::string* nearest = nullptr;
    std::int64_t least = 0;
    for (const std::string& word : lexicon) {
        const std::u32string own = comparable(word, rules);
        const auto apart =
            std::int64_t(own.size() > wanted.size() ? own.size() - wanted.size() : wanted.size() - own.size());
        if (nearest && apart >= least)
            continue; // the lengths alone are as far apart
        if (const auto distance = editDistance(wanted, own); !nearest || distance < least) {
            nearest = &word;
            least = distance;
        }
    }
    return nearest ? *nearest : std::string(text);
}

Result<std::vector<std::string>> readLexicon(const std::string& file) {
    const auto content = readFile(file, ErrorKind::Data);
    if (!content)
        return content.error();
    if (!text::decode(*content))
        return Error{ErrorKind::Data, "The lexicon is no text in UTF-8.", file, "Write a word a line."};
    std::vector<std::string> words;
    for (const std::string_view line : text::lines(*content))
        if (const auto word = text::trimmed(line); !word.empty())
            words.emplace_back(word);
    if (words.empty())
        return Error{ErrorKind::Data, "The lexicon has no words.", file, "Write a word a line."};
    return words;
}

} // namespace trainyard
