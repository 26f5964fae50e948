#include "core/config/YamlValue.h"

#include "core/config/Nearest.h"
#include "core/config/ValueText.h"
#include "core/config/YamlDocuments.h"

#include <algorithm>
#include <fmt/format.h>
#include <set>

namespace trainyard {
namespace {

constexpr std::size_t kLargestFile = std::size_t(1) << 20;

/// "solve.steps must be …" from "Must be …".
std::string about(const std::string& key, const std::string& objection) {
    return key + " m" + objection.substr(1);
}

std::string described(const YAML::Node& node) {
    switch (node.Type()) {
    case YAML::NodeType::Scalar:
        return shortened(yamlQuoted(node.Scalar()));
    case YAML::NodeType::Sequence:
        return "a list";
    case YAML::NodeType::Map:
        return "a map";
    default:
        return "empty";
    }
}

std::optional<bool> readBoolean(const YAML::Node& node) {
    bool value = false;
    if (node.Tag() == "!" || !YAML::convert<bool>::decode(node, value)) // "true" in quotes is a text
        return std::nullopt;
    return value;
}

/// Reads one value; what is wrong goes to `complain`.
class ValueReader {
public:
    ValueReader(const FieldRule& rule, const Complain& complain, const Found& found)
        : m_rule(rule), m_complain(complain), m_found(found) {}

    std::optional<FieldValue> read(const YAML::Node& node) {
        switch (m_rule.type) {
        case FieldType::Boolean:
        case FieldType::Integer:
        case FieldType::Real:
        case FieldType::Text:
            return scalar(node, m_rule.type);
        case FieldType::IntegerList:
            return list<std::int64_t>(node, FieldType::Integer);
        case FieldType::RealList:
            return list<double>(node, FieldType::Real);
        case FieldType::TextList:
            return list<std::string>(node, FieldType::Text);
        case FieldType::TextMap:
            return map(node);
        case FieldType::Datasets:
            return datasets(node);
        }
        return std::nullopt;
    }

private:
    std::optional<FieldValue> refuse(const YAML::Node& node) {
        m_complain(node.Mark(), m_rule.key,
                   m_rule.key + " must be " + m_rule.allowed() + ", not " + described(node) + ".");
        return std::nullopt;
    }

    std::optional<FieldValue> scalar(const YAML::Node& node, FieldType type) {
        if (!node.IsScalar())
            return refuse(node);
        const auto isQuoted = node.Tag() == "!";
        if (type == FieldType::Text)
            return FieldValue(node.Scalar());
        if (type == FieldType::Boolean) {
            if (const auto value = readBoolean(node))
                return FieldValue(*value);
        } else if (type == FieldType::Integer && !isQuoted) {
            if (const auto value = readInteger(node.Scalar()))
                return FieldValue(*value);
        } else if (type == FieldType::Real && !isQuoted) {
            if (const auto value = readReal(node.Scalar()))
                return FieldValue(*value);
        }
        return refuse(node);
    }

    template <class T>
    std::optional<FieldValue> list(const YAML::Node& node, FieldType itemType) {
        if (!node.IsSequence())
            return refuse(node);
        std::vector<T> values;
        bool isGood = true;
        for (const auto& item : node) {
            const auto value = scalar(item, itemType);
            if (value && !objects(item.Mark(), FieldValue(std::vector<T>{std::get<T>(*value)})))
                values.push_back(std::get<T>(*value));
            else
                isGood = false;
        }
        return isGood ? std::optional<FieldValue>(std::move(values)) : std::nullopt;
    }

    std::optional<FieldValue> map(const YAML::Node& node) {
        if (!node.IsMap())
            return refuse(node);
        std::map<std::string, std::string> values;
        bool isGood = true;
        for (const auto& pair : node) {
            const auto& [key, value] = std::pair(pair.first, pair.second);
            if (!key.IsScalar() || !(value.IsScalar() || value.IsNull())) {
                refuse(key.IsScalar() ? value : key);
                isGood = false;
            } else if (!values.emplace(key.Scalar(), value.IsNull() ? "" : value.Scalar()).second) {
                m_complain(key.Mark(), m_rule.key, m_rule.key + " names " + yamlQuoted(key.Scalar()) + " twice.");
                isGood = false;
            }
        }
        return isGood ? std::optional<FieldValue>(std::move(values)) : std::nullopt;
    }

    std::optional<FieldValue> datasets(const YAML::Node& node) {
        if (!node.IsSequence())
            return refuse(node);
        std::vector<DatasetConfig> entries;
        bool isGood = true;
        for (const auto& item : node) {
            DatasetConfig entry;
            isGood &= dataset(item, m_rule.key + "." + fmt::to_string(entries.size()), entry);
            entries.push_back(std::move(entry));
        }
        return isGood ? std::optional<FieldValue>(std::move(entries)) : std::nullopt;
    }

    bool dataset(const YAML::Node& node, const std::string& name, DatasetConfig& entry) {
        if (!node.IsMap()) {
            m_complain(node.Mark(), name,
                       name + " must be a map, like {format: coco, path: FOLDER}, not " + described(node) + ".");
            return false;
        }
        bool isGood = true;
        std::set<std::string> seen;
        m_found(node.Mark(), name);
        for (const auto& pair : node) {
            const auto key = pair.first.IsScalar() ? pair.first.Scalar() : described(pair.first);
            if (!seen.insert(key).second) {
                m_complain(pair.first.Mark(), name, name + " gives " + yamlQuoted(key) + " twice.");
                isGood = false;
            } else {
                isGood &= datasetKey(pair.first, pair.second, name, key, entry);
            }
        }
        return isGood;
    }

    bool datasetKey(const YAML::Node& keyNode, const YAML::Node& node, const std::string& name, const std::string& key,
                    DatasetConfig& entry) {
        for (const auto& field : Schema::instance().datasetFields()) {
            if (field.key != key)
                continue;
            FieldRule rule = field;
            rule.key = name + "." + key;
            m_found(keyNode.Mark(), rule.key);
            const auto value = readValue(node, rule, m_complain, m_found);
            if (value)
                field.write(entry, *value);
            return value.has_value();
        }
        m_complain(keyNode.Mark(), name, unknownDatasetKeySentence(key));
        return false;
    }

    bool objects(const YAML::Mark& mark, const FieldValue& value) {
        const auto objection = m_rule.objection(value);
        if (objection)
            m_complain(mark, m_rule.key, about(m_rule.key, *objection));
        return objection.has_value();
    }

    const FieldRule& m_rule;
    const Complain& m_complain;
    const Found& m_found;
};

std::vector<std::string> childrenOf(const std::string& section) {
    std::vector<std::string> children;
    const auto prefix = section.empty() ? section : section + ".";
    const auto add = [&](const std::string& key) {
        if (key.size() > prefix.size() && key.starts_with(prefix) && key.find('.', prefix.size()) == std::string::npos)
            children.push_back(key.substr(prefix.size()));
    };
    for (const auto& field : Schema::instance().fields())
        add(field.key);
    for (const auto& name : Schema::instance().sections())
        add(name);
    return children;
}

std::vector<std::string> keysEndingIn(const std::string& name) {
    std::vector<std::string> keys;
    for (const auto& field : Schema::instance().fields())
        if (leafOf(field.key) == name)
            keys.push_back(field.key);
    for (const auto& section : Schema::instance().sections())
        if (leafOf(section) == name)
            keys.push_back(section);
    return keys;
}

} // namespace

std::optional<YAML::Node> loadYaml(std::string_view text, const Complain& complain) {
    const auto refuse = [&](const YAML::Mark& mark, const std::string& message) {
        complain(mark, "", message);
        return std::nullopt;
    };
    if (text.size() > kLargestFile)
        return refuse(YAML::Mark::null_mark(), "This is larger than a configuration can be (1 MiB).");
    if (text.find('\0') != std::string_view::npos || !isUtf8(text))
        return refuse(YAML::Mark::null_mark(), "This is not a text in UTF-8.");
    // A line break at the end would hide a quotation mark that was never closed from the YAML reader.
    text = text.substr(0, text.find_last_not_of(" \t\r\n") + 1);
    try {
        auto document = loadOneDocument(std::string(text));
        if (document.IsNull())
            return refuse(YAML::Mark::null_mark(), "This holds no configuration; an empty one is written {}.");
        return document;
    } catch (const YAML::Exception& error) {
        return refuse(error.mark, "This is not YAML: " + error.msg + ".");
    }
}

std::optional<FieldValue> readValue(const YAML::Node& node, const FieldRule& rule, const Complain& complain,
                                    const Found& found) {
    auto value = ValueReader(rule, complain, found).read(node);
    const auto isList = node.IsSequence(); // whose items have been checked one by one
    if (!value || isList)
        return value;
    if (const auto objection = rule.objection(*value)) {
        complain(node.Mark(), rule.key, about(rule.key, *objection));
        return std::nullopt;
    }
    return value;
}

std::string unknownDatasetKeySentence(const std::string& name) {
    std::vector<std::string> keys;
    for (const auto& field : Schema::instance().datasetFields())
        keys.push_back(field.key);
    const auto near = nearestOf(name, keys);
    return "A dataset has no key " + yamlQuoted(name) + "; " +
           (near.empty() ? "its keys are " + enumerated(keys) : "the nearest is " + near) + ".";
}

std::string unknownKeySentence(const std::string& section, const std::string& name) {
    const auto& schema = Schema::instance();
    const auto path = section.empty() ? name : section + "." + name;
    const auto start = "There is no key " + yamlQuoted(path) + "; ";
    if (name.find('.') != std::string::npos && (schema.find(path) || schema.find(name)))
        return "Write " + yamlQuoted(name) + " with its sections nested, one a line.";
    const auto elsewhere = keysEndingIn(name);
    if (!elsewhere.empty() && elsewhere.size() <= 3)
        return start + yamlQuoted(name) + " belongs elsewhere: " + fmt::format("{}", fmt::join(elsewhere, " or ")) +
               ".";
    const auto children = childrenOf(section);
    if (const auto near = nearestOf(name, children); !near.empty())
        return start + "the nearest is " + (section.empty() ? near : section + "." + near) + ".";
    if (const auto near = schema.nearest(path); !near.empty())
        return start + "the nearest is " + near + ".";
    return start + (section.empty() ? std::string("the top") : section) + " has " + enumerated(children) + ".";
}

} // namespace trainyard
