#include "core/config/Schema.h"

#include "core/config/FieldBuilder.h"
#include "core/config/Nearest.h"

#include <algorithm>

namespace trainyard {
namespace {

std::vector<std::string> sectionsOf(const std::vector<Field>& fields) {
    std::vector<std::string> sections;
    for (const auto& field : fields)
        for (auto dot = field.key.find('.'); dot != std::string::npos; dot = field.key.find('.', dot + 1)) {
            const auto section = field.key.substr(0, dot);
            if (std::find(sections.begin(), sections.end(), section) == sections.end())
                sections.push_back(section);
        }
    return sections;
}

} // namespace

Schema::Schema() {
    declare::RunSection run(m_fields, "", [](RunConfig& config) -> RunConfig& { return config; });
    run.field("seed", &RunConfig::seed)
        .atLeast(0)
        .help(TR_LATER("Schema", "Everything random in a run is a function of this number."));
    declare::modelFields(run);
    declare::dataFields(run);
    declare::solveFields(run);
    declare::trainFields(run);
    declare::evaluateFields(run);
    declare::DatasetSection entry(m_datasetFields, "", [](DatasetConfig& config) -> DatasetConfig& { return config; });
    declare::datasetEntryFields(entry);
    m_sections = sectionsOf(m_fields);
}

const Schema& Schema::instance() {
    static const Schema schema;
    return schema;
}

const Field* Schema::find(std::string_view key) const {
    const auto found =
        std::find_if(m_fields.begin(), m_fields.end(), [&](const Field& field) { return field.key == key; });
    return found == m_fields.end() ? nullptr : &*found;
}

std::string Schema::nearest(std::string_view key) const {
    std::vector<std::string> sameLeaf, leaves, keys;
    for (const auto& field : m_fields) {
        keys.push_back(field.key);
        leaves.push_back(std::string(leafOf(field.key)));
        if (leaves.back() == leafOf(key))
            sameLeaf.push_back(field.key);
    }
    if (!sameLeaf.empty()) // the right word in the wrong section: the least distant section
        return *std::min_element(sameLeaf.begin(), sameLeaf.end(), [&](const auto& a, const auto& b) {
            return editDistance(a, key) < editDistance(b, key);
        });
    if (const auto near = nearestOf(key, keys); !near.empty())
        return near;
    const auto leaf = nearestOf(leafOf(key), leaves);
    return leaf.empty() ? "" : keys[std::size_t(std::find(leaves.begin(), leaves.end(), leaf) - leaves.begin())];
}

const char* changeText(Change change) {
    switch (change) {
    case Change::Never:
        return TR_LATER("Schema", "cannot change on resume");
    case Change::OnResume:
        return TR_LATER("Schema", "may change on resume");
    case Change::Live:
        return TR_LATER("Schema", "may change while running");
    }
    return "";
}

const char* typeName(FieldType type) {
    switch (type) {
    case FieldType::Boolean:
        return TR_LATER("Schema", "true or false");
    case FieldType::Integer:
        return TR_LATER("Schema", "whole number");
    case FieldType::Real:
        return TR_LATER("Schema", "number");
    case FieldType::Text:
        return TR_LATER("Schema", "text");
    case FieldType::IntegerList:
        return TR_LATER("Schema", "list of whole numbers");
    case FieldType::RealList:
        return TR_LATER("Schema", "list of numbers");
    case FieldType::TextList:
        return TR_LATER("Schema", "list of texts");
    case FieldType::TextMap:
        return TR_LATER("Schema", "map of texts");
    case FieldType::Datasets:
        return TR_LATER("Schema", "list of datasets");
    }
    return "";
}

} // namespace trainyard
