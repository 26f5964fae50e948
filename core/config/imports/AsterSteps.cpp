#include "core/config/imports/AsterMapping.h"

#include "core/config/ValueText.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

namespace trainyard::aster {
namespace {

using Kind = protobuf::FieldType::Kind;

/// Ours name a method in small letters.
std::string methodName(const std::string& theirs) {
    static const std::map<std::string, std::string> names = {
        {"AREA", "area"}, {"BICUBIC", "bicubic"}, {"BILINEAR", "bilinear"}, {"NEAREST_NEIGHBOR", "nearest"}};
    return names.at(theirs);
}

/// The name that a set has among ours, or its characters.
std::string charsetText(Mapping& mapping, const Message& set) {
    if (set.chosen("source") != "built_in_set")
        return charactersOf(mapping, set);
    std::string name = set.text("built_in_set");
    std::transform(name.begin(), name.end(), name.begin(), [](unsigned char c) { return char(std::tolower(c)); });
    return name;
}

/// A value as an option of ours is written; only what the file sets is said.
std::string optionText(Mapping& mapping, const protobuf::Value& value) {
    switch (value.field->kind) {
    case Kind::Enum:
        return methodName(std::get<std::string>(value.content));
    case Kind::Message:
        return charsetText(mapping, *std::get<std::shared_ptr<const Message>>(value.content));
    default:
        return value.text();
    }
}

std::string stepText(Mapping& mapping, const std::string& name, const Message& step) {
    std::string text = name;
    std::string means; // the one option that is repeated
    for (const protobuf::Value& value : step.values()) {
        if (value.field->isRepeated)
            means.append(means.empty() ? "" : ",").append(value.text());
        else
            text += fmt::format(" {}={}", value.field->name, optionText(mapping, value));
    }
    return means.empty() ? text : fmt::format("{} means={}", text, means);
}

} // namespace

Steps stepsOf(Mapping& mapping, const std::vector<const Message*>& steps) {
    Steps result;
    for (const Message* one : steps) {
        const std::string name = one->chosen("step");
        if (name.empty())
            continue; // an empty step does nothing
        const Message& step = one->message(name);
        if (name == "resize_image" || name == "resize_image_random_method") {
            result.height = step.integer("target_height");
            result.width = step.integer("target_width");
        }
        if (name == "normalize_image")
            mapping.adapt(*one, "normalize_image",
                          "ASTER stops with an error at this step; here it does what it says.");
        result.texts.push_back(stepText(mapping, name, step));
    }
    return result;
}

} // namespace trainyard::aster
