#include "core/config/Nearest.h"
#include "core/config/Schema.h"
#include "core/config/ValueText.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

namespace trainyard {
namespace {

using Objection = std::optional<std::string>;

std::string number(double value) {
    return value == std::floor(value) && std::abs(value) < 1e15 ? fmt::to_string(static_cast<std::int64_t>(value))
                                                                : shortest(value);
}

/// " of at least 1", " from 0 to 1", " above 0": what follows "a number".
std::string rangeText(const FieldRule& rule) {
    if (rule.minimum && rule.maximum && !rule.minimumExcluded && !rule.maximumExcluded)
        return " from " + number(*rule.minimum) + " to " + number(*rule.maximum);
    std::string text;
    if (rule.minimum)
        text += (rule.minimumExcluded ? " above " : " of at least ") + number(*rule.minimum);
    if (rule.maximum)
        text += std::string(text.empty() ? "" : " and") + (rule.maximumExcluded ? " below " : " at most ") +
                number(*rule.maximum);
    return text;
}

bool isInRange(const FieldRule& rule, double value) {
    if (!std::isfinite(value))
        return false;
    if (rule.minimum && (value < *rule.minimum || (rule.minimumExcluded && value == *rule.minimum)))
        return false;
    return !rule.maximum || !(value > *rule.maximum || (rule.maximumExcluded && value == *rule.maximum));
}

template <class T>
Objection notAllowed(const FieldRule& rule, const T& value, const std::string& more = {}) {
    return "Must be " + rule.allowed() + ", not " + shortened(toText(FieldValue(value))) + more + ".";
}

Objection check(const FieldRule& rule, const std::string& text) {
    if (!isUtf8(text))
        return "Must be text in UTF-8.";
    if (rule.choices.empty() || std::find(rule.choices.begin(), rule.choices.end(), text) != rule.choices.end())
        return std::nullopt;
    const auto near = nearestOf(text, rule.choices);
    return notAllowed(rule, text, near.empty() ? "" : " (the nearest is " + near + ")");
}

Objection check(const FieldRule& rule, std::int64_t value) {
    return isInRange(rule, static_cast<double>(value)) ? std::nullopt : notAllowed(rule, value);
}

Objection check(const FieldRule& rule, double value) {
    return isInRange(rule, value) ? std::nullopt : notAllowed(rule, value);
}

Objection check(const FieldRule&, bool) {
    return std::nullopt;
}

Objection check(const FieldRule&, const std::map<std::string, std::string>& map) {
    for (const auto& [key, value] : map)
        if (!isUtf8(key) || !isUtf8(value))
            return "Must be text in UTF-8.";
    return std::nullopt;
}

Objection check(const FieldRule&, const DatasetConfig& entry) {
    for (const auto& field : Schema::instance().datasetFields())
        if (const auto objection = field.objection(field.read(entry)))
            return field.key + " m" + objection->substr(1);
    return std::nullopt;
}

template <class T>
Objection check(const FieldRule& rule, const std::vector<T>& list) {
    for (const auto& item : list)
        if (const auto objection = check(rule, item))
            return objection;
    return std::nullopt;
}

bool isOfType(const FieldRule& rule, const FieldValue& value) {
    return value.index() == rule.defaultValue.index() ||
           (rule.type == FieldType::Real && std::holds_alternative<std::int64_t>(value));
}

} // namespace

std::string FieldRule::group() const {
    const auto dot = key.find('.');
    return dot == std::string::npos ? std::string() : key.substr(0, dot);
}

std::string FieldRule::allowed() const {
    switch (type) {
    case FieldType::Boolean:
        return "true or false";
    case FieldType::Integer:
        return "a whole number" + rangeText(*this);
    case FieldType::Real:
        return "a number" + rangeText(*this);
    case FieldType::Text:
        return choices.empty() ? "text" : "one of " + fmt::format("{}", fmt::join(choices, ", "));
    case FieldType::IntegerList:
        return "a list of whole numbers" + (rangeText(*this).empty() ? "" : ", each" + rangeText(*this));
    case FieldType::RealList:
        return "a list of numbers" + (rangeText(*this).empty() ? "" : ", each" + rangeText(*this));
    case FieldType::TextList:
        return "a list of texts, like [a, b]";
    case FieldType::TextMap:
        return "a map of texts, like {name: other}";
    case FieldType::Datasets:
        return "a list of datasets, like [{format: coco, path: FOLDER}]";
    }
    return {};
}

std::optional<std::string> FieldRule::objection(const FieldValue& value) const {
    if (!isOfType(*this, value))
        return notAllowed(*this, value);
    return std::visit([this](const auto& held) { return check(*this, held); }, value);
}

} // namespace trainyard
