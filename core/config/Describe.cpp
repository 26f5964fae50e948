#include "core/config/Describe.h"

#include "core/base/Text.h"
#include "core/config/Nearest.h"
#include "core/config/Schema.h"

#include <algorithm>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace trainyard {
namespace {

using Json = nlohmann::ordered_json;

bool fits(const FieldRule& rule, const std::string& filter) {
    const auto wanted = text::lowered(filter);
    return text::lowered(rule.key).find(wanted) != std::string::npos || text::lowered(rule.help).find(wanted) != std::string::npos;
}

std::string paragraph(const FieldRule& rule, const std::string& margin) {
    std::string text =
        margin + rule.key + " = " + toText(rule.defaultValue) + (rule.unit.empty() ? "" : " " + rule.unit) + "\n";
    text += margin + "    " + rule.help + "\n";
    return text + margin + "    " + rule.allowed() + "; " + changeText(rule.change) + "\n";
}

Json toJson(const FieldValue& value) {
    return std::visit(
        [](const auto& held) -> Json {
            using T = std::decay_t<decltype(held)>;
            if constexpr (std::is_same_v<T, std::vector<DatasetConfig>>)
                return Json::array(); // the default of every such field
            else
                return held;
        },
        value);
}

const char* changeName(Change change) {
    return change == Change::Never ? "never" : change == Change::OnResume ? "on_resume" : "live";
}

Json toJson(const FieldRule& rule) {
    Json json = {{"key", rule.key}, {"type", typeName(rule.type)}, {"default", toJson(rule.defaultValue)}};
    if (!rule.unit.empty())
        json["unit"] = rule.unit;
    if (rule.minimum)
        json[rule.minimumExcluded ? "above" : "minimum"] = *rule.minimum;
    if (rule.maximum)
        json[rule.maximumExcluded ? "below" : "maximum"] = *rule.maximum;
    if (!rule.choices.empty())
        json["choices"] = rule.choices;
    json["change"] = changeName(rule.change);
    json["help"] = rule.help;
    if (rule.type == FieldType::Datasets)
        for (const auto& entry : Schema::instance().datasetFields())
            json["entries"].push_back(toJson(static_cast<const FieldRule&>(entry)));
    return json;
}

} // namespace

std::string describeText(const std::string& filter) {
    std::string text;
    for (const auto& field : Schema::instance().fields()) {
        if (!fits(field, filter))
            continue;
        text += paragraph(field, "");
        if (field.type == FieldType::Datasets)
            for (const auto& entry : Schema::instance().datasetFields())
                text += paragraph(entry, "    ");
    }
    return text;
}

std::string describeJson(const std::string& filter) {
    auto json = Json::array();
    for (const auto& field : Schema::instance().fields())
        if (fits(field, filter))
            json.push_back(toJson(static_cast<const FieldRule&>(field)));
    return json.dump(2) + "\n";
}

} // namespace trainyard
