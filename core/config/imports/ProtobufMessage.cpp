#include "core/config/ValueText.h"
#include "core/config/imports/ProtobufText.h"

#include <fmt/format.h>

#include <map>
#include <mutex>
#include <stdexcept>

namespace trainyard::protobuf {

const FieldType* MessageType::find(std::string_view field) const {
    for (const FieldType& known : fields)
        if (known.name == field)
            return &known;
    return nullptr;
}

std::string Value::text() const {
    struct Writer {
        const FieldType& field;
        std::string operator()(bool flag) const { return flag ? "true" : "false"; }
        std::string operator()(std::int64_t number) const { return std::to_string(number); }
        std::string operator()(double number) const { return shortest(number); }
        std::string operator()(const std::string& text) const {
            return field.kind == FieldType::Kind::Enum ? text : fmt::format("\"{}\"", text);
        }
        std::string operator()(const std::shared_ptr<const Message>& message) const {
            return message->values().empty() ? "{}" : "{…}";
        }
    };
    return std::visit(Writer{*field}, content);
}

const FieldType& Message::fieldOf(std::string_view field) const {
    const FieldType* found = m_type->find(field);
    if (!found)
        throw std::logic_error(fmt::format("{} has no field {}", m_type->name, field));
    return *found;
}

const Value* Message::find(std::string_view field) const {
    const FieldType& wanted = fieldOf(field);
    for (const Value& value : m_values)
        if (value.field == &wanted)
            return &value;
    return nullptr;
}

std::vector<const Value*> Message::all(std::string_view field) const {
    const FieldType& wanted = fieldOf(field);
    std::vector<const Value*> found;
    for (const Value& value : m_values)
        if (value.field == &wanted)
            found.push_back(&value);
    return found;
}

/// A default is read by the same reader as a file.
Value Message::valueOf(std::string_view field) const {
    if (const Value* set = find(field))
        return *set;
    const FieldType& wanted = fieldOf(field);
    std::vector<ConfigProblem> problems;
    const char* quote = wanted.kind == FieldType::Kind::Text ? "\"" : "";
    const Message made =
        parse(fmt::format("{}: {}{}{}", field, quote, wanted.defaultText, quote), "", *m_type, problems);
    if (!problems.empty() || !made.has(field))
        throw std::logic_error(fmt::format("{}.{} has no default", m_type->name, field));
    return *made.find(field);
}

bool Message::flag(std::string_view field) const {
    return std::get<bool>(valueOf(field).content);
}

std::int64_t Message::integer(std::string_view field) const {
    return std::get<std::int64_t>(valueOf(field).content);
}

double Message::real(std::string_view field) const {
    return std::get<double>(valueOf(field).content);
}

std::string Message::text(std::string_view field) const {
    return std::get<std::string>(valueOf(field).content);
}

const Message& Message::message(std::string_view field) const {
    if (const Value* set = find(field))
        return *std::get<std::shared_ptr<const Message>>(set->content);
    static std::map<const MessageType*, std::unique_ptr<Message>> empty;
    static std::mutex mutex;
    const std::scoped_lock lock(mutex);
    auto& made = empty[fieldOf(field).message];
    if (!made)
        made = std::make_unique<Message>(*fieldOf(field).message);
    return *made;
}

std::vector<const Message*> Message::messages(std::string_view field) const {
    std::vector<const Message*> found;
    for (const Value* value : all(field))
        found.push_back(std::get<std::shared_ptr<const Message>>(value->content).get());
    return found;
}

std::string Message::chosen(std::string_view oneof) const {
    for (const Value& value : m_values)
        if (value.field->oneof == oneof)
            return value.field->name;
    return {};
}

std::string Message::meaningOf(const FieldType& field, const std::set<std::string>& but) const {
    std::string meaning;
    const bool isOneOfSeveral = *field.oneof != '\0'; // then not being set is a meaning, too
    if (field.kind != FieldType::Kind::Message) {
        for (const Value* value : all(field.name))
            meaning += value->text() + ";";
        return meaning.empty() && !isOneOfSeveral && !field.isRepeated ? valueOf(field.name).text() + ";" : meaning;
    }
    std::vector<const Message*> parts = messages(field.name);
    if (parts.empty() && !isOneOfSeveral && !field.isRepeated)
        parts.push_back(&message(field.name));
    for (const Message* part : parts) {
        for (const FieldType& inner : part->type().fields)
            if (!but.contains(inner.name))
                meaning += std::string(inner.name) + ":" + part->meaningOf(inner, but);
        meaning += "}";
    }
    return meaning;
}

std::string Message::differenceFrom(const Message& other, const std::set<std::string>& mayDiffer) const {
    for (const FieldType& field : m_type->fields)
        if (!mayDiffer.contains(field.name) && meaningOf(field, mayDiffer) != other.meaningOf(field, mayDiffer))
            return field.name;
    return {};
}

} // namespace trainyard::protobuf
