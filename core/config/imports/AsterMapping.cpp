#include "core/config/imports/AsterMapping.h"

#include "core/config/imports/AsterMessages.h"

namespace trainyard::aster {

bool Mapping::put(const Message& message, const char* field, const std::string& key, FieldValue value) {
    if (to.set(key, std::move(value)))
        return true;
    unmapped(message, field);
    return false;
}

bool Mapping::integer(const Message& message, const char* field, const std::string& key) {
    return put(message, field, key, message.integer(field));
}

bool Mapping::real(const Message& message, const char* field, const std::string& key) {
    return put(message, field, key, message.real(field));
}

bool Mapping::flag(const Message& message, const char* field, const std::string& key) {
    return put(message, field, key, message.flag(field));
}

ConfigProblem Mapping::placeOf(const Message& message, const char* field) const {
    const protobuf::Value* value = message.find(field);
    return {m_file, value ? value->line : 0, value ? value->column : 0, field, value ? value->text() : ""};
}

void Mapping::unmapped(const Message& message, const char* field, const std::string& text) {
    if (message.has(field))
        to.note(ImportNote::Kind::NoCounterpart, placeOf(message, field), text);
}

void Mapping::unmappedUnless(const Message& message, const char* field, const std::string& same,
                             const std::string& text) {
    if (const protobuf::Value* value = message.find(field); value && value->text() != same)
        unmapped(message, field, text);
}

void Mapping::adapt(const Message& message, const char* field, const std::string& text) {
    if (message.has(field))
        to.note(ImportNote::Kind::Adapted, placeOf(message, field), text);
}

void Mapping::problem(const Message& message, const char* field, const std::string& text) {
    to.problem(placeOf(message, field), text);
}

} // namespace trainyard::aster

namespace trainyard {

Result<ImportedConfig> importAster(std::string_view text, const std::string& name) {
    ImportTarget target("ASTER", name);
    std::vector<ConfigProblem> problems;
    const protobuf::Message pipeline = protobuf::parse(text, name, aster::pipelineConfig(), problems);
    target.problems(problems);
    if (problems.empty()) {
        aster::Mapping mapping(name, target);
        aster::mapModel(mapping, pipeline.message("model"));
        aster::mapTraining(mapping, pipeline);
        aster::mapEvaluation(mapping, pipeline);
    }
    return std::move(target).result();
}

} // namespace trainyard
