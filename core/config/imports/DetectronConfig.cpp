#include "core/config/imports/DetectronConfig.h"

#include "core/config/Nearest.h"
#include "core/config/ValueText.h"
#include "core/config/YamlDocuments.h"
#include "core/config/YamlValue.h"

#include <fmt/format.h>

#include <algorithm>

namespace trainyard::detectron {
namespace {

std::vector<std::string> knownKeys() {
    std::vector<std::string> keys;
    for (const auto& [key, value] : defaults())
        keys.push_back(key);
    return keys;
}

/// Nothing but numbers, however deeply nested.
bool isNumeric(const PythonValue& value) {
    const auto* items = value.items();
    return items ? std::all_of(items->begin(), items->end(), isNumeric) : value.number().has_value();
}

void flatten(const PythonValue& value, std::vector<double>& numbers) {
    if (const auto* items = value.items())
        for (const PythonValue& item : *items)
            flatten(item, numbers);
    else if (const auto number = value.number())
        numbers.push_back(*number);
}

/// Detectron's rule for a new value beside its default, and a sentence where it does not pass.
std::optional<std::string> coerce(const std::string& key, PythonValue& value) {
    const PythonValue& before = defaults().at(key);
    if (isArray(key)) {
        if (isNumeric(value))
            return std::nullopt;
    } else if (value.content.index() == before.content.index()) {
        return std::nullopt;
    } else if (before.is<std::string>()) {
        value = {value.is<std::monostate>() ? std::string() : value.text()}; // an empty value is no text "None"
        return std::nullopt;
    } else if (before.is<double>() && value.is<std::int64_t>()) {
        value = {*value.number()};
        return std::nullopt;
    } else if (value.is<PythonValue::Tuple>() && before.is<PythonValue::List>()) {
        value = {PythonValue::List{*value.items()}};
        return std::nullopt;
    } else if (value.is<PythonValue::List>() && before.is<PythonValue::Tuple>()) {
        value = {PythonValue::Tuple{*value.items()}};
        return std::nullopt;
    }
    return fmt::format("{} is of the type {} ({} by default), not {} ({}).", key,
                       isArray(key) ? "numpy.ndarray" : before.typeName(), before.text(), value.typeName(),
                       shortened(value.text()));
}

/// A scalar as PyYAML reads it, and then, where that is text, as the Python literal that it may be.
PythonValue scalarValue(const YAML::Node& node) {
    const std::string text = node.Scalar();
    if (node.Tag() != "!") { // not in quotes
        std::string lower = text;
        std::transform(lower.begin(), lower.end(), lower.begin(), [](unsigned char c) { return std::tolower(c); });
        if (lower.empty() || lower == "~" || lower == "null")
            return {std::monostate()};
        if (lower == "true" || lower == "yes" || lower == "on")
            return {true};
        if (lower == "false" || lower == "no" || lower == "off")
            return {false};
    }
    if (auto literal = pythonLiteral(text))
        return *literal;
    return {text};
}

PythonValue valueOf(const YAML::Node& node, int depth = 0) {
    if (node.IsScalar())
        return scalarValue(node);
    if (node.IsSequence() && depth < 50) {
        PythonValue::List list;
        for (const auto& item : node)
            list.items.push_back(valueOf(item, depth + 1));
        return {std::move(list)};
    }
    return {std::monostate()};
}

class Reader {
public:
    Reader(Config& config, std::string name) : m_config(config), m_name(std::move(name)) {}

    void section(const YAML::Node& node, const std::string& path) {
        for (const auto& pair : node) {
            if (!pair.first.IsScalar()) {
                problem(pair.first.Mark(), path, "A key must be a word.");
                continue;
            }
            const std::string key = path.empty() ? pair.first.Scalar() : path + "." + pair.first.Scalar();
            entry(key, pair.first, pair.second);
        }
    }

    void pairs(const std::vector<std::string>& pairs) {
        if (pairs.size() % 2 != 0)
            return problem({}, pairs.back(), fmt::format("{} has no value: pairs are KEY VALUE.", pairs.back()));
        for (std::size_t i = 0; i < pairs.size(); i += 2) {
            const auto literal = pythonLiteral(pairs[i + 1]);
            if (isKnown(pairs[i], {}))
                set(pairs[i], literal ? *literal : PythonValue{pairs[i + 1]}, {});
        }
    }

    void problem(const YAML::Mark& mark, const std::string& key, const std::string& message) {
        m_config.problems.push_back(placed(mark, key, message));
    }

private:
    ConfigProblem placed(const YAML::Mark& mark, const std::string& key, const std::string& message) const {
        const bool isPlaced = !mark.is_null() && !m_name.empty();
        return {m_name, isPlaced ? mark.line + 1 : 0, isPlaced ? mark.column + 1 : 0, key, message};
    }

    void entry(const std::string& key, const YAML::Node& name, const YAML::Node& value) {
        const YAML::Mark mark = name.Mark();
        if (isSection(key)) {
            if (value.IsMap())
                section(value, key);
            else if (!value.IsNull())
                problem(mark, key, fmt::format("{} is a section: its keys stand below it.", key));
            return;
        }
        if (!isKnown(key, mark))
            return;
        if (value.IsMap())
            return problem(mark, key, fmt::format("{} is a value, not a section.", key));
        set(key, valueOf(value), mark);
    }

    /// False where there is nothing to set, which has then been said.
    bool isKnown(const std::string& key, const YAML::Mark& mark) {
        if (defaults().contains(key))
            return true;
        if (isDeprecated(key)) {
            m_config.warnings.push_back(placed(mark, key, fmt::format("{} is deprecated and passed over.", key)));
            return false;
        }
        if (const Renamed* now = renamed(key)) {
            problem(mark, key,
                    fmt::format("{} was renamed to {}.{}{}", key, now->now, now->hint.empty() ? "" : " ", now->hint));
            return false;
        }
        const std::string nearest = nearestOf(key, knownKeys());
        problem(mark, key,
                fmt::format("There is no key {}{}", key, nearest.empty() ? "." : "; did you mean " + nearest + "?"));
        return false;
    }

    void set(const std::string& key, PythonValue value, const YAML::Mark& mark) {
        if (const auto objection = coerce(key, value))
            return problem(mark, key, *objection);
        m_config.given[key] = placed(mark, key, value.text());
        m_config.values.at(key) = std::move(value);
    }

    Config& m_config;
    std::string m_name;
};

} // namespace

std::int64_t Config::integer(const std::string& key) const {
    return std::get<std::int64_t>(at(key).content);
}

double Config::real(const std::string& key) const {
    return at(key).number().value();
}

bool Config::flag(const std::string& key) const {
    return std::get<bool>(at(key).content);
}

const std::string& Config::text(const std::string& key) const {
    return std::get<std::string>(at(key).content);
}

std::vector<double> Config::numbers(const std::string& key) const {
    std::vector<double> numbers;
    flatten(at(key), numbers);
    return numbers;
}

std::vector<std::string> Config::texts(const std::string& key) const {
    std::vector<std::string> texts;
    for (const PythonValue& item : *at(key).items())
        texts.push_back(item.is<std::string>() ? std::get<std::string>(item.content) : item.text());
    return texts;
}

Config read(std::string_view yaml, const std::string& name, const std::vector<std::string>& pairs) {
    Config config;
    config.values = defaults();
    Reader reader(config, name);
    const auto root = loadYaml(yaml, [&](const YAML::Mark& mark, const std::string& key, const std::string& message) {
        reader.problem(mark, key, message);
    });
    if (root && root->IsMap())
        reader.section(*root, "");
    else if (root)
        reader.problem(root->Mark(), "", "A Detectron configuration is made of sections, like \"MODEL:\".");
    Reader(config, "").pairs(pairs);
    return config;
}

} // namespace trainyard::detectron
