#include "core/data/KeypointPairs.h"

#include "core/base/Text.h"

#include <algorithm>
#include <map>

namespace trainyard {
namespace {

/// The words of a name: "left_upper-arm" has three.
std::vector<std::string> wordsOf(const std::string& name) {
    std::vector<std::string> words(1);
    for (const char c : text::lowered(name))
        if (std::isalnum(static_cast<unsigned char>(c)) != 0)
            words.back() += c;
        else if (!words.back().empty())
            words.emplace_back();
    return words;
}

/// The words of the right one's name, where this is the left one of a pair; empty where it is not.
std::string nameOfRight(const std::string& name) {
    std::string mirrored;
    bool isLeft = false;
    for (const std::string& word : wordsOf(name)) {
        isLeft |= word == "left" || word == "l";
        mirrored += (word == "left" ? "right" : word == "l" ? "r" : word) + " ";
    }
    return isLeft ? mirrored : "";
}

std::string plainName(const std::string& name) {
    std::string plain;
    for (const std::string& word : wordsOf(name))
        plain += word + " ";
    return plain;
}

} // namespace

KeypointPairs cocoPersonPairs() {
    KeypointPairs pairs;
    for (std::size_t i = 1; i < 17; i += 2)
        pairs.emplace_back(i, i + 1);
    return pairs;
}

KeypointPairs pairsByName(const std::vector<std::string>& names) {
    std::map<std::string, std::size_t> places;
    for (std::size_t i = 0; i < names.size(); ++i)
        places.emplace(plainName(names[i]), i);
    KeypointPairs pairs;
    for (std::size_t i = 0; i < names.size(); ++i)
        if (const auto other = places.find(nameOfRight(names[i])); other != places.end())
            pairs.emplace_back(i, other->second);
    return pairs;
}

KeypointPairs pairsOf(const std::vector<std::int64_t>& numbers) {
    KeypointPairs pairs;
    for (std::size_t i = 0; i + 1 < numbers.size(); i += 2)
        pairs.emplace_back(std::size_t(numbers[i]), std::size_t(numbers[i + 1]));
    return pairs;
}

KeypointPairs pairsOfSwaps(const std::vector<std::int64_t>& partners) {
    KeypointPairs pairs;
    for (std::size_t i = 0; i < partners.size(); ++i)
        if (partners[i] > std::int64_t(i) && partners[i] < std::int64_t(partners.size()))
            pairs.emplace_back(i, std::size_t(partners[i]));
    return pairs;
}

} // namespace trainyard
