#include "core/config/imports/ImportTarget.h"

#include "core/config/Validation.h"

#include <algorithm>
#include <fmt/format.h>

namespace trainyard {
namespace {

/// The variant's alternative that a field of this type holds.
std::size_t alternativeOf(FieldType type) {
    return std::size_t(type); // FieldValue lists its types in the order of FieldType
}
static_assert(std::variant_size_v<FieldValue> == std::size_t(FieldType::Datasets) + 1);

std::string commented(const std::string& text) {
    std::string all = "# ";
    for (const char c : text)
        all += c == '\n' ? "\n# " : std::string(1, c);
    return all + "\n";
}

} // namespace

bool ImportTarget::set(const std::string& key, FieldValue value) {
    const Field* field = Schema::instance().find(key);
    if (!field)
        return false;
    if (const auto* whole = std::get_if<std::int64_t>(&value); whole && field->type == FieldType::Real)
        value = double(*whole);
    if (value.index() != alternativeOf(field->type))
        return false;
    if (const auto* text = std::get_if<std::string>(&value); text && !field->choices.empty())
        if (std::find(field->choices.begin(), field->choices.end(), *text) == field->choices.end())
            return false;
    field->write(m_result.config, value);
    return true;
}

void ImportTarget::note(ImportNote::Kind kind, const ConfigProblem& place, std::string text) {
    m_result.notes.push_back({kind, place.line > 0 ? place.where() : "", place.key, place.message, std::move(text)});
}

void ImportTarget::problem(const ConfigProblem& place, std::string message) {
    ConfigProblem found = place;
    found.message = std::move(message);
    m_problems.push_back(std::move(found));
}

void ImportTarget::problems(const std::vector<ConfigProblem>& all) {
    m_problems.insert(m_problems.end(), all.begin(), all.end());
}

Result<ImportedConfig> ImportTarget::result() && {
    if (m_problems.empty())
        for (ConfigProblem& problem : validate(m_result.config)) {
            problem.file = m_file;
            problem.message = "The import would not be valid: " + problem.message;
            m_problems.push_back(std::move(problem));
        }
    if (m_problems.empty())
        return std::move(m_result);
    ParsedConfig refused;
    refused.problems = std::move(m_problems);
    return refused.error();
}

std::string ImportNote::sentence() const {
    const std::string said = value.empty() ? key : key + ": " + value;
    switch (kind) {
    case Kind::NoCounterpart:
        return fmt::format("{} has no counterpart.{}{}", said, text.empty() ? "" : " ", text);
    case Kind::Deprecated:
    case Kind::Adapted:
        return said + ": " + text;
    }
    return said;
}

std::string ImportedConfig::yaml(const std::string& file) const {
    std::string head = commented(fmt::format("Imported from {}, a configuration of {}.", file, source));
    for (const ImportNote& note : notes)
        head += commented(note.sentence());
    return head + toYaml(config, true);
}

ImportSource importSourceOf(const std::string& name, std::string_view text) {
    const std::size_t dot = name.rfind('.');
    const std::string ending = dot == std::string::npos ? "" : name.substr(dot + 1);
    if (ending == "yaml" || ending == "yml")
        return ImportSource::Detectron;
    if (ending == "prototxt" || ending == "pbtxt" || ending == "config")
        return ImportSource::Aster;
    return text.find('{') != std::string_view::npos && text.find("\nMODEL:") == std::string_view::npos &&
                   !text.starts_with("MODEL:")
               ? ImportSource::Aster
               : ImportSource::Detectron;
}

} // namespace trainyard
