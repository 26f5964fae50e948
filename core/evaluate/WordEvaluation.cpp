#include "core/evaluate/WordEvaluation.h"

#include <algorithm>
#include <cstdlib>
#include <numeric>
#include <utf8proc.h>

namespace trainyard {
namespace {

/// `text` with every byte that belongs to no character replaced by U+FFFD.
std::string repaired(std::string_view text) {
    std::string result;
    while (!text.empty()) {
        utf8proc_int32_t code = 0;
        const auto* bytes = reinterpret_cast<const utf8proc_uint8_t*>(text.data());
        const auto length = utf8proc_iterate(bytes, utf8proc_ssize_t(text.size()), &code);
        if (length > 0)
            result += text.substr(0, std::size_t(length));
        else
            result += "\uFFFD";
        text.remove_prefix(length > 0 ? std::size_t(length) : 1);
    }
    return result;
}

bool isAlphanumeric(char32_t code) {
    return (code >= U'0' && code <= U'9') || (code >= U'a' && code <= U'z') || (code >= U'A' && code <= U'Z');
}

} // namespace

std::u32string comparable(std::string_view text, const WordRules& rules) {
    const auto input = repaired(text);
    const int folding = rules.caseSensitive ? 0 : UTF8PROC_CASEFOLD;
    const auto options = utf8proc_option_t(UTF8PROC_STABLE | UTF8PROC_COMPOSE | folding);
    utf8proc_uint8_t* mapped = nullptr;
    const auto length = utf8proc_map(reinterpret_cast<const utf8proc_uint8_t*>(input.data()),
                                     utf8proc_ssize_t(input.size()), &mapped, options);
    std::u32string codes;
    for (utf8proc_ssize_t at = 0; at < length;) { // a negative length is no memory: then nothing compares equal
        utf8proc_int32_t code = 0;
        at += std::max<utf8proc_ssize_t>(1, utf8proc_iterate(mapped + at, length - at, &code));
        if (!rules.alphanumericOnly || isAlphanumeric(char32_t(code)))
            codes.push_back(char32_t(code));
    }
    std::free(mapped);
    return codes;
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

void WordEvaluation::add(std::string_view truth, std::string_view read) {
    const auto wanted = comparable(truth, m_rules), got = comparable(read, m_rules);
    const auto distance = editDistance(wanted, got);
    const auto longer = std::max(wanted.size(), got.size());
    ++m_words;
    m_right += distance == 0;
    m_distance += distance;
    m_characters += std::int64_t(wanted.size());
    m_normalised += longer == 0 ? 0 : double(distance) / double(longer);
}

Metrics WordEvaluation::metrics() const {
    const auto share = [](double part, std::int64_t whole) { return whole == 0 ? -1 : part / double(whole); };
    return {{"word_accuracy", share(double(m_right), m_words)},
            {"character_error_rate", share(double(m_distance), m_characters)},
            {"normalised_edit_distance", share(m_normalised, m_words)}};
}

} // namespace trainyard
