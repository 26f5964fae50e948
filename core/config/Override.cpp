#include "core/config/Override.h"

#include "core/config/Nearest.h"
#include "core/config/ValueText.h"
#include "core/config/YamlValue.h"

#include <algorithm>
#include <fmt/format.h>

namespace trainyard {
namespace {

bool isList(FieldType type) {
    return type == FieldType::IntegerList || type == FieldType::RealList || type == FieldType::TextList;
}

/// The value of an override as YAML: a text needs no quotes, a list no brackets.
std::string asYaml(const std::string& value, FieldType type) {
    if (type == FieldType::Text && !value.starts_with('"'))
        return yamlQuoted(value);
    return isList(type) && !value.starts_with('[') ? "[" + value + "]" : value;
}

/// One override on its way into a configuration.
class Override {
public:
    Override(ParsedConfig& parsed, const std::string& text) : m_parsed(parsed), m_text(text) {}

    std::vector<ConfigProblem> apply() {
        const auto equals = m_text.find('=');
        const auto key = m_text.substr(0, equals);
        if (equals == std::string::npos || key.empty())
            complain("", "An override is written key=value, like solve.iterations=1000.");
        else if (key.find('[') != std::string::npos)
            entryKey(key, m_text.substr(equals + 1));
        else
            plainKey(key, m_text.substr(equals + 1));
        return std::move(m_problems);
    }

private:
    void complain(const std::string& key, const std::string& message) {
        m_problems.push_back({m_text, 0, 0, key, message});
    }

    void plainKey(const std::string& key, const std::string& value) {
        const auto* field = findField(key);
        if (!field)
            return;
        if (const auto read = readText(*field, value)) {
            m_parsed.places[key] = {m_text, 0, 0};
            field->write(m_parsed.config, *read);
        }
    }

    const Field* findField(const std::string& key) {
        const auto& schema = Schema::instance();
        if (const auto* field = schema.find(key))
            return field;
        const auto& sections = schema.sections();
        const auto dot = key.rfind('.');
        if (std::find(sections.begin(), sections.end(), key) != sections.end())
            complain(key, key + " is a section; override one of its keys.");
        else
            complain(key, dot == std::string::npos ? unknownKeySentence("", key)
                                                   : unknownKeySentence(key.substr(0, dot), key.substr(dot + 1)));
        return nullptr;
    }

    /// "data.train[1].path" is list, number and name.
    void entryKey(const std::string& key, const std::string& value) {
        const auto open = key.find('['), close = key.find("].", open);
        const auto list = key.substr(0, open);
        const auto* field = findField(list);
        if (!field)
            return;
        if (field->type != FieldType::Datasets)
            return complain(list, list + " is no list of datasets; override the whole of it.");
        const auto index = close == std::string::npos
                               ? std::nullopt
                               : readInteger(std::string_view(key).substr(open + 1, close - open - 1));
        if (!index)
            return complain(list, fmt::format("One entry is written {}[0].path: the list, the entry's number counted "
                                              "from 0, and its key.",
                                              list));
        auto entries = std::get<std::vector<DatasetConfig>>(field->read(m_parsed.config));
        const auto count = std::int64_t(entries.size());
        if (*index < 0 || *index >= count)
            return complain(list, count == 0 ? fmt::format("{} has no entries, so there is no number {}.", list, *index)
                                             : fmt::format("{} has {} {}, numbered from 0: there is no number {}.",
                                                           list, count, count == 1 ? "entry" : "entries", *index));
        const auto name = key.substr(close + 2);
        const auto& known = Schema::instance().datasetFields();
        const auto entryField =
            std::find_if(known.begin(), known.end(), [&](const auto& one) { return one.key == name; });
        if (entryField == known.end())
            return complain(list, unknownDatasetKeySentence(name));
        FieldRule rule = *entryField;
        rule.key = fmt::format("{}.{}.{}", list, *index, name);
        if (const auto read = readText(rule, value)) {
            m_parsed.places[rule.key] = {m_text, 0, 0};
            entryField->write(entries[std::size_t(*index)], *read);
            field->write(m_parsed.config, entries);
        }
    }

    std::optional<FieldValue> readText(const FieldRule& rule, const std::string& value) {
        if (value.empty() && rule.type != FieldType::Text && !isList(rule.type))
            return complain(rule.key, rule.key + " has no value; it must be " + rule.allowed() + "."), std::nullopt;
        if (!isUtf8(value))
            return complain(rule.key, rule.key + " must be text in UTF-8."), std::nullopt;
        const Complain withoutPlace = [&](const YAML::Mark&, const std::string& at, const std::string& message) {
            complain(at.empty() ? rule.key : at, message);
        };
        const auto node = loadYaml(asYaml(value, rule.type), withoutPlace);
        return node ? readValue(*node, rule, withoutPlace, [](const YAML::Mark&, const std::string&) {}) : std::nullopt;
    }

    ParsedConfig& m_parsed;
    const std::string& m_text;
    std::vector<ConfigProblem> m_problems;
};

} // namespace

std::vector<ConfigProblem> applyOverride(ParsedConfig& parsed, const std::string& text) {
    return Override(parsed, text).apply();
}

} // namespace trainyard
