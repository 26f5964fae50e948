#pragma once

#include "core/config/ConfigFile.h"

#include <cstdint>
#include <memory>
#include <set>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

/// Protocol buffers' text format, read by a description of the messages. Source: "Text Format Language Specification"
/// of protobuf.dev.
namespace trainyard::protobuf {

struct MessageType;

/// A field of a message type. Defaults are written as in the text format.
struct FieldType {
    enum class Kind { Bool, Integer, Real, Text, Enum, Message };
    const char* name;
    Kind kind = Kind::Message;
    const char* defaultText = ""; ///< of a single value
    const MessageType* message = nullptr;
    std::vector<std::string> names = {}; ///< of an enum, in the order of its numbers, from `firstNumber` on
    bool isRepeated = false;
    const char* oneof = ""; ///< at most one field of each such group is set
    int firstNumber = 0;
    bool isUnsigned = false;
};

struct MessageType {
    const char* name;
    std::vector<FieldType> fields;

    const FieldType* find(std::string_view field) const;
};

class Message;

/// A value that a file sets, and where it does. Enums are texts.
struct Value {
    const FieldType* field = nullptr;
    int line = 0, column = 0; ///< of the field's name, from 1
    std::variant<bool, std::int64_t, double, std::string, std::shared_ptr<const Message>> content;

    /// As the text format writes it; a message is "{…}".
    std::string text() const;
};

/// A message as it was read. Asking for a field that its type does not have throws.
class Message {
public:
    explicit Message(const MessageType& type) : m_type(&type) {}

    const MessageType& type() const { return *m_type; }
    const std::vector<Value>& values() const { return m_values; }
    void add(Value value) { m_values.push_back(std::move(value)); }

    bool has(std::string_view field) const { return find(field) != nullptr; }
    const Value* find(std::string_view field) const; ///< the first; null where it is not set
    std::vector<const Value*> all(std::string_view field) const;
    // What is set, else the default.
    bool flag(std::string_view field) const;
    std::int64_t integer(std::string_view field) const;
    double real(std::string_view field) const;
    std::string text(std::string_view field) const; ///< of an enum its name
    /// What is set, else one with nothing in it.
    const Message& message(std::string_view field) const;
    std::vector<const Message*> messages(std::string_view field) const;
    /// The name of the field that is set of a group; empty where none is.
    std::string chosen(std::string_view oneof) const;
    /// The first field in which it means something else than `other`, a message of the same type; what is not set
    /// counts as its default, and fields called as in `mayDiffer`, at any depth, do not count. Empty where they are
    /// alike.
    std::string differenceFrom(const Message& other, const std::set<std::string>& mayDiffer = {}) const;

private:
    const FieldType& fieldOf(std::string_view field) const;
    Value valueOf(std::string_view field) const;
    /// All that a field means: what is set, else the default.
    std::string meaningOf(const FieldType& field, const std::set<std::string>& but) const;

    const MessageType* m_type;
    std::vector<Value> m_values;
};

/// The message that `text` is, as far as it can be read; what is wrong is added to `problems` with line and column:
/// fields that there are not (with the nearest), wrong types, values out of range, a single field given twice, two
/// fields of one group. After a fault of syntax nothing more is read.
Message parse(std::string_view text, const std::string& name, const MessageType& type,
              std::vector<ConfigProblem>& problems);

} // namespace trainyard::protobuf
