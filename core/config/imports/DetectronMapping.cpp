#include "core/config/imports/DetectronMapping.h"

#include <fmt/format.h>

namespace trainyard::detectron {
namespace {

std::vector<std::int64_t> wholeNumbers(const std::vector<double>& numbers) {
    return {numbers.begin(), numbers.end()};
}

} // namespace

bool Mapping::put(const std::vector<std::string>& sources, const std::string& key, FieldValue value) {
    if (!to.set(key, std::move(value)))
        return false;
    use(sources);
    return true;
}

bool Mapping::map(const std::string& source, const std::string& key) {
    const Field* field = Schema::instance().find(key);
    const PythonValue& value = from.at(source);
    if (!field)
        return false;
    switch (field->type) {
    case FieldType::Boolean:
        return value.is<bool>() && put({source}, key, from.flag(source));
    case FieldType::Integer:
        return value.is<std::int64_t>() && put({source}, key, from.integer(source));
    case FieldType::Real:
        return value.number() && put({source}, key, from.real(source));
    case FieldType::Text:
        return value.is<std::string>() && put({source}, key, from.text(source));
    case FieldType::IntegerList:
        return value.items() && put({source}, key, wholeNumbers(from.numbers(source)));
    case FieldType::RealList:
        return value.items() && put({source}, key, from.numbers(source));
    case FieldType::TextList:
        return value.items() && put({source}, key, from.texts(source));
    case FieldType::TextMap:
    case FieldType::Datasets:
        return false;
    }
    return false;
}

void Mapping::use(const std::vector<std::string>& sources) {
    m_used.insert(sources.begin(), sources.end());
}

ConfigProblem Mapping::placeOf(const std::string& source) const {
    const auto given = from.given.find(source);
    return given != from.given.end() ? given->second : ConfigProblem{"", 0, 0, source, from.at(source).text()};
}

void Mapping::adapt(const std::string& source, const std::string& text, bool always) {
    use({source});
    if (always || from.isGiven(source))
        to.note(ImportNote::Kind::Adapted, placeOf(source), text);
}

void Mapping::problem(const std::string& source, const std::string& message) {
    to.problem(placeOf(source), message);
}

void Mapping::listTheRest() {
    for (const auto& [key, place] : from.given)
        if (!m_used.contains(key))
            to.note(ImportNote::Kind::NoCounterpart, place, "");
}

} // namespace trainyard::detectron

namespace trainyard {

Result<ImportedConfig> importDetectron(std::string_view text, const std::string& name,
                                       const std::vector<std::string>& pairs) {
    const detectron::Config config = detectron::read(text, name, pairs);
    ImportTarget target("Detectron", name);
    target.problems(config.problems);
    for (const ConfigProblem& warning : config.warnings)
        target.note(ImportNote::Kind::Deprecated, {warning.file, warning.line, warning.column, warning.key, ""},
                    warning.message);
    if (config.problems.empty()) {
        detectron::Mapping mapping(config, target);
        detectron::mapSolver(mapping);
        detectron::mapData(mapping);
        detectron::mapModel(mapping);
        detectron::mapEvaluation(mapping);
        mapping.listTheRest();
    }
    return std::move(target).result();
}

} // namespace trainyard
