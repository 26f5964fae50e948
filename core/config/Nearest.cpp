#include "core/config/Nearest.h"

#include <algorithm>
#include <utility>

namespace trainyard {
namespace {

constexpr std::size_t kLongestWord = 200; // a longer key is not a slip of the finger

bool isPartOf(std::string_view word, std::string_view candidate) {
    if (word.size() < 2)
        return false;
    std::string bounded = "_";
    bounded.append(leafOf(candidate)).append("_");
    std::string wanted = "_";
    wanted.append(word).append("_");
    return bounded.find(wanted) != std::string::npos;
}

} // namespace

std::size_t editDistance(std::string_view a, std::string_view b) {
    std::vector<std::size_t> beforeLast, last(b.size() + 1), row(b.size() + 1);
    for (std::size_t j = 0; j <= b.size(); ++j)
        last[j] = j;
    for (std::size_t i = 1; i <= a.size(); ++i) {
        row[0] = i;
        for (std::size_t j = 1; j <= b.size(); ++j) {
            row[j] = std::min({last[j] + 1, row[j - 1] + 1, last[j - 1] + (a[i - 1] != b[j - 1])});
            if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
                row[j] = std::min(row[j], beforeLast[j - 2] + 1);
        }
        beforeLast = std::exchange(last, row);
    }
    return last[b.size()];
}

std::string nearestOf(std::string_view word, const std::vector<std::string>& candidates) {
    if (word.size() > kLongestWord)
        return {};
    const std::string* best = nullptr;
    std::size_t bestDistance = 0;
    for (const auto& candidate : candidates) {
        const auto allowed = std::max<std::size_t>(1, std::max(word.size(), candidate.size()) / 3);
        const auto distance = isPartOf(word, candidate) ? allowed : editDistance(word, candidate);
        if (distance <= allowed && distance < std::max(word.size(), candidate.size()) &&
            (!best || distance < bestDistance)) {
            best = &candidate;
            bestDistance = distance;
        }
    }
    return best ? *best : std::string();
}

std::string_view leafOf(std::string_view key) {
    const auto dot = key.rfind('.');
    return dot == std::string_view::npos ? key : key.substr(dot + 1);
}

std::string enumerated(const std::vector<std::string>& words) {
    std::string text;
    for (std::size_t i = 0; i < words.size(); ++i)
        text += (i == 0 ? "" : i + 1 == words.size() ? " and " : ", ") + words[i];
    return text;
}

} // namespace trainyard
