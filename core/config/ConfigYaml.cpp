#include "core/config/ConfigFile.h"
#include "core/config/Nearest.h"
#include "core/config/ValueText.h"

#include <algorithm>
#include <fmt/format.h>

namespace trainyard {
namespace {

std::string sectionOf(const std::string& key) {
    const auto dot = key.rfind('.');
    return dot == std::string::npos ? std::string() : key.substr(0, dot);
}

std::string indent(const std::string& key) {
    return std::string(2 * std::size_t(std::count(key.begin(), key.end(), '.')), ' ');
}

/// The header lines that lead from the sections already open to `section`.
std::string headers(const std::string& open, const std::string& section) {
    std::string text;
    for (std::size_t end = 0; end != std::string::npos && !section.empty();) {
        end = section.find('.', end == 0 ? 0 : end + 1);
        const auto path = section.substr(0, end);
        if (open != path && !open.starts_with(path + "."))
            text += indent(path) + std::string(leafOf(path)) + ":\n";
    }
    return text;
}

std::string datasetLines(const std::vector<DatasetConfig>& entries, const std::string& margin) {
    static const DatasetConfig defaults;
    std::string text;
    for (const auto& entry : entries) {
        auto start = margin + "- ";
        for (const auto& field : Schema::instance().datasetFields()) {
            const auto value = field.read(entry);
            if (field.key != "format" && value == field.read(defaults))
                continue;
            text += start + field.key + ": " + toText(value) + "\n";
            start = margin + "  ";
        }
    }
    return text;
}

std::string lines(const Field& field, const FieldValue& value) {
    const auto start = indent(field.key) + std::string(leafOf(field.key)) + ":";
    if (const auto* entries = std::get_if<std::vector<DatasetConfig>>(&value); entries && !entries->empty())
        return start + "\n" + datasetLines(*entries, indent(field.key) + "  ");
    return start + " " + toText(value) + "\n";
}

} // namespace

std::string toYaml(const RunConfig& config, bool onlyChanged) {
    std::string text, open;
    for (const auto& field : Schema::instance().fields()) {
        const auto value = field.read(config);
        if (onlyChanged && value == field.defaultValue)
            continue;
        const auto section = sectionOf(field.key);
        text += headers(open, section) + lines(field, value);
        open = section;
    }
    return text.empty() ? "{}\n" : text;
}

} // namespace trainyard
