#include "core/config/DataSteps.h"

#include "core/base/Letters.h"
#include "core/base/Text.h"
#include "core/config/Nearest.h"

#include <algorithm>
#include <fmt/format.h>
#include <sstream>

namespace trainyard {
namespace {

using Kind = DataStepOption::Kind;

DataStepOption number(const std::string& name, const std::string& standard, double least, double most) {
    return {name, Kind::Number, standard, least, most};
}

DataStepOption flag(const std::string& name) {
    return {name, Kind::Choice, "false", 0, 0, {"false", "true"}};
}

std::vector<std::string> partsOf(const std::string& text, char separator) {
    std::vector<std::string> parts;
    std::istringstream stream(text);
    for (std::string part; std::getline(stream, part, separator);)
        if (!part.empty())
            parts.push_back(part);
    return parts;
}

Error wrong(const std::string& what, const std::string& remedy) {
    return {ErrorKind::Usage, what, "", remedy};
}

/// "The nearest is …", or what there is.
std::string suggestion(const std::string& name, const std::vector<std::string>& known) {
    const std::string near = nearestOf(name, known);
    return near.empty() ? fmt::format("Choose from {}.", text::joined(known)) : fmt::format("The nearest is {}.", near);
}

template <class Rule>
std::vector<std::string> namesOf(const std::vector<Rule>& rules) {
    std::vector<std::string> names;
    for (const auto& rule : rules)
        names.push_back(rule.name);
    return names;
}

/// Nothing where `value` may stand there.
std::optional<Error> objection(const DataStepRule& rule, const DataStepOption& option, const std::string& value) {
    const std::string name = rule.name + " " + option.name;
    if (option.kind == Kind::Choice &&
        std::find(option.choices.begin(), option.choices.end(), value) == option.choices.end())
        return wrong(fmt::format("{} must be one of {}, not \"{}\".", name, text::joined(option.choices), value), "");
    if (option.kind == Kind::Number) {
        const auto read = text::number(value);
        if (!read || *read < option.least || *read > option.most)
            return wrong(
                fmt::format("{} must be a number from {} to {}, not \"{}\".", name, option.least, option.most, value),
                "");
    }
    if (option.kind == Kind::Numbers) {
        const auto parts = partsOf(value, ',');
        if (parts.empty() ||
            !std::all_of(parts.begin(), parts.end(), [](const auto& p) { return bool(text::number(p)); }))
            return wrong(fmt::format("{} must be numbers with commas between, not \"{}\".", name, value), "");
    }
    return std::nullopt;
}

} // namespace

const std::vector<DataStepRule>& dataStepRules() {
    constexpr double kLargest = 65536;
    // 0 pixels: the network's own height and width
    const DataStepOption height = number("target_height", "0", 0, kLargest),
                         width = number("target_width", "0", 0, kLargest);
    static const std::vector<DataStepRule> rules{
        {"resize_image_random_method", {height, width}},
        {"resize_image",
         {height, width, {"method", Kind::Choice, "bilinear", 0, 0, {"bilinear", "nearest", "bicubic", "area"}}}},
        {"normalize_image",
         {number("original_minval", "0", -kLargest, kLargest), number("original_maxval", "255", -kLargest, kLargest),
          number("target_minval", "0", -kLargest, kLargest), number("target_maxval", "1", -kLargest, kLargest)}},
        {"random_pixel_value_scale", {number("minval", "0.9", 0, 100), number("maxval", "1.1", 0, 100)}},
        {"random_rgb_to_gray", {number("probability", "0.1", 0, 1)}},
        {"random_adjust_brightness", {number("max_delta", "0.2", 0, 1)}},
        {"random_adjust_contrast", {number("min_delta", "0.8", 0, 100), number("max_delta", "1.25", 0, 100)}},
        {"random_adjust_hue", {number("max_delta", "0.02", 0, 0.5)}},
        {"random_adjust_saturation", {number("min_delta", "0.8", 0, 100), number("max_delta", "1.25", 0, 100)}},
        {"random_distort_color", {{"color_ordering", Kind::Choice, "0", 0, 0, {"0", "1"}}}},
        {"image_to_float", {}},
        {"subtract_channel_mean", {{"means", Kind::Numbers, ""}}},
        {"rgb_to_gray", {flag("three_channels")}},
        {"string_filtering", {flag("lower_case"), {"include_charset", Kind::Text, ""}}},
        {"random_crop", {number("corner", "0.05", 0, 0.5), number("degrees", "0", 0, 180)}},
        {"random_blur", {number("max_sigma", "0.5", 0, 20)}},
        {"random_noise", {number("max_deviation", "0.03", 0, 1)}},
    };
    return rules;
}

double DataStep::number(const std::string& option) const {
    return text::number(options.at(option)).value();
}

std::vector<double> DataStep::numbers(const std::string& option) const {
    std::vector<double> values;
    for (const std::string& part : partsOf(options.at(option), ','))
        values.push_back(text::number(part).value());
    return values;
}

Result<DataStep> parseDataStep(std::string_view given) {
    const auto words = partsOf(std::string(given), ' ');
    if (words.empty())
        return wrong("A preprocessing step has no name.",
                     fmt::format("Choose from {}.", text::joined(namesOf(dataStepRules()))));
    const auto& rules = dataStepRules();
    const auto rule = std::find_if(rules.begin(), rules.end(), [&](const auto& r) { return r.name == words.front(); });
    if (rule == rules.end())
        return wrong(fmt::format("There is no preprocessing step \"{}\".", words.front()),
                     suggestion(words.front(), namesOf(rules)));
    DataStep step{rule->name, {}};
    for (auto word = words.begin() + 1; word != words.end(); ++word) {
        const auto equals = word->find('=');
        const std::string name = word->substr(0, equals);
        const auto option =
            std::find_if(rule->options.begin(), rule->options.end(), [&](const auto& one) { return one.name == name; });
        if (equals == std::string::npos)
            return wrong(fmt::format("An option of {} is written name=value, not \"{}\".", rule->name, *word), "");
        if (option == rule->options.end())
            return wrong(fmt::format("{} has no option \"{}\".", rule->name, name),
                         rule->options.empty() ? "It has none." : suggestion(name, namesOf(rule->options)));
        if (!step.options.emplace(name, word->substr(equals + 1)).second)
            return wrong(fmt::format("{} has {} twice.", rule->name, name), "");
    }
    for (const DataStepOption& option : rule->options) {
        const auto& value = step.options.emplace(option.name, option.standard).first->second;
        if (const auto problem = objection(*rule, option, value))
            return *problem;
    }
    for (const auto& [least, most] : {std::pair("minval", "maxval"), std::pair("min_delta", "max_delta"),
                                      std::pair("original_minval", "original_maxval")})
        if (step.options.contains(least) && step.options.contains(most) && step.number(least) > step.number(most))
            return wrong(fmt::format("{} {} must not be above {}.", rule->name, least, most), "");
    return step;
}

Result<std::vector<DataStep>> parseDataSteps(const std::vector<std::string>& texts) {
    std::vector<DataStep> steps;
    for (const std::string& text : texts) {
        auto step = parseDataStep(text);
        if (!step)
            return step.error();
        steps.push_back(std::move(*step));
    }
    return steps;
}

std::string filteredText(const DataStep& step, std::string_view given) {
    const std::string& named = step.text("include_charset");
    const std::string set = builtInCharacterSet(named).empty() ? named : builtInCharacterSet(named);
    const std::u32string kept = text::repaired(text::composed(set));
    std::u32string characters = text::repaired(text::composed(given));
    if (step.isSet("lower_case"))
        for (char32_t& c : characters)
            c = c >= U'A' && c <= U'Z' ? char32_t(c + 32) : c;
    if (!kept.empty())
        std::erase_if(characters, [&](char32_t c) { return kept.find(c) == std::u32string::npos; });
    return text::encode(characters);
}

std::string builtInCharacterSet(std::string_view name) {
    std::string characters = "0123456789abcdefghijklmnopqrstuvwxyz";
    if (name == "lowercase")
        return characters;
    for (char c = 'A'; c <= 'Z'; ++c)
        characters += c;
    if (name == "allcases")
        return characters;
    for (char c = '!'; c <= '~'; ++c)
        if (!(c >= '0' && c <= '9') && !(c >= 'A' && c <= 'Z') && !(c >= 'a' && c <= 'z'))
            characters += c;
    return name == "allcases_symbols" ? characters : "";
}

} // namespace trainyard
