#include "core/evaluate/WordEvaluation.h"

#include "core/base/Letters.h"
#include "core/base/Text.h"

#include <algorithm>
#include <numeric>

namespace trainyard {
namespace {

bool isAlphanumeric(char32_t code) {
    return (code >= U'0' && code <= U'9') || (code >= U'a' && code <= U'z') || (code >= U'A' && code <= U'Z');
}

} // namespace

std::u32string comparable(std::string_view text, const WordRules& rules) {
    auto characters = text::repaired(text::composed(text::encode(text::repaired(text))));
    if (!rules.caseSensitive) // folding may leave letters that compose anew
        characters = text::repaired(text::composed(text::encode(text::folded(characters))));
    if (rules.alphanumericOnly)
        std::erase_if(characters, [](char32_t c) { return !isAlphanumeric(c); });
    return characters;
}

std::int64_t editDistance(const std::u32string& a, const std::u32string& b) {
    std::vector<std::int64_t> row(b.size() + 1);
    std::iota(row.begin(), row.end(), std::int64_t(0));
    for (std::size_t i = 0; i < a.size(); ++i) {
        auto diagonal = row[0]++;
        for (std::size_t j = 0; j < b.size(); ++j) {
            const auto replaced = diagonal + (a[i] != b[j]);
            diagonal = row[j + 1];
            row[j + 1] = std::min({replaced, row[j] + 1, row[j + 1] + 1});
        }
    }
    return row[b.size()];
}

void WordEvaluation::add(std::string_view truth, std::string_view read, const std::string& id, double score) {
    const auto wanted = comparable(truth, m_rules), got = comparable(read, m_rules);
    const auto distance = editDistance(wanted, got);
    const auto longer = std::max(wanted.size(), got.size());
    ++m_words;
    m_right += distance == 0;
    m_distance += distance;
    m_characters += std::int64_t(wanted.size());
    m_normalised += longer == 0 ? 0 : double(distance) / double(longer);
    m_total += double(distance) / double(std::max<std::size_t>(1, wanted.size()));
    LengthScore& length = m_lengths[std::int64_t(wanted.size())];
    ++length.words;
    length.right += distance == 0;
    if (distance > 0)
        keep({id, std::string(truth), std::string(read), distance, score});
}

void WordEvaluation::keep(Case one) {
    const auto isWorse = [](const Case& a, const Case& b) {
        return a.distance != b.distance ? a.distance > b.distance : a.score > b.score;
    };
    const auto place = std::upper_bound(m_worst.begin(), m_worst.end(), one, isWorse);
    m_worst.insert(place, std::move(one));
    if (m_worst.size() > kWorst)
        m_worst.pop_back();
}

Metrics WordEvaluation::metrics() const {
    const auto share = [](double part, std::int64_t whole) { return whole == 0 ? -1 : part / double(whole); };
    return {{"word_accuracy", share(double(m_right), m_words)},
            {"character_error_rate", share(double(m_distance), m_characters)},
            {"normalised_edit_distance", share(m_normalised, m_words)},
            {"total_edit_distance", m_total}};
}

} // namespace trainyard
