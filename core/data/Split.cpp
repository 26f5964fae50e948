#include "core/data/Split.h"

#include "core/base/Expression.h"
#include "core/base/Fingerprint.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <map>
#include <optional>
#include <unordered_set>

namespace trainyard {
namespace {

/// What keeps a sample together with others: the match of the expression in its id, else the id.
std::string groupOf(const std::string& id, const std::optional<std::regex>& expression) {
    std::smatch match;
    if (!expression || !std::regex_search(id, match, *expression))
        return id;
    return match.size() > 1 && match[1].matched ? match[1].str() : match[0].str();
}

std::uint64_t rankOf(const std::string& group, std::uint64_t seed) {
    const std::string digits = fingerprintOf(group);
    std::uint64_t number = 0;
    std::from_chars(digits.data(), digits.data() + 16, number, 16);
    return deriveSeed(seed, number);
}

DatasetSplit splitBy(std::shared_ptr<const Dataset> whole, const std::vector<bool>& isValidation) {
    std::vector<std::int64_t> train, validation;
    DatasetSplit split;
    for (std::int64_t i = 0; i < whole->size(); ++i) {
        (isValidation[std::size_t(i)] ? validation : train).push_back(i);
        if (isValidation[std::size_t(i)])
            split.validationIds.push_back(whole->info(i).id);
    }
    split.train = std::make_shared<DatasetView>(whole, std::move(train));
    split.validation = std::make_shared<DatasetView>(std::move(whole), std::move(validation));
    return split;
}

Result<std::optional<std::regex>> expressionOf(const std::string& text) {
    if (text.empty())
        return std::optional<std::regex>();
    auto expression = compileExpression(text, "data.split.group");
    if (!expression)
        return expression.error();
    return std::optional<std::regex>(std::move(*expression));
}

} // namespace

DatasetView::DatasetView(std::shared_ptr<const Dataset> whole, std::vector<std::int64_t> indices)
    : m_whole(std::move(whole)), m_indices(std::move(indices)) {}

std::string DatasetView::fingerprint() const {
    Fingerprint print;
    print.add(m_whole->fingerprint());
    for (const std::int64_t index : m_indices)
        print.add(index);
    return print.text();
}

Result<DatasetSplit> splitDataset(std::shared_ptr<const Dataset> whole, const SplitConfig& config) {
    if (whole->size() == Dataset::kEndless)
        return Error{ErrorKind::Data, "An endless dataset cannot be split.", whole->name(),
                     "Give a validation set in data.validation."};
    const auto expression = expressionOf(config.group);
    if (!expression)
        return expression.error();
    std::map<std::string, std::vector<std::int64_t>> groups;
    for (std::int64_t i = 0; i < whole->size(); ++i)
        groups[groupOf(whole->info(i).id, *expression)].push_back(i);
    std::vector<std::pair<std::uint64_t, const std::vector<std::int64_t>*>> order;
    for (const auto& [group, members] : groups)
        order.emplace_back(rankOf(group, config.seed), &members);
    std::sort(order.begin(), order.end());
    const auto wanted = std::llround(config.validationShare * double(whole->size()));
    std::vector<bool> isValidation(std::size_t(whole->size()), false);
    std::int64_t chosen = 0;
    for (const auto& [rank, members] : order) {
        if (chosen >= wanted)
            break;
        for (const std::int64_t index : *members)
            isValidation[std::size_t(index)] = true;
        chosen += std::int64_t(members->size());
    }
    if (chosen == 0 || chosen == whole->size())
        return Error{ErrorKind::Data,
                     fmt::format("A share of {} of {} samples in {} groups leaves one side empty.",
                                 config.validationShare, whole->size(), groups.size()),
                     whole->name(), "Change data.split.validation_share or data.split.group."};
    return splitBy(std::move(whole), isValidation);
}

DatasetSplit splitByIds(std::shared_ptr<const Dataset> whole, const std::vector<std::string>& validationIds) {
    const std::unordered_set<std::string> ids(validationIds.begin(), validationIds.end());
    std::vector<bool> isValidation(std::size_t(whole->size()), false);
    for (std::int64_t i = 0; i < whole->size(); ++i)
        isValidation[std::size_t(i)] = ids.contains(whole->info(i).id);
    return splitBy(std::move(whole), isValidation);
}

} // namespace trainyard
