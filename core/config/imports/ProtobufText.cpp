#include "core/config/imports/ProtobufText.h"

#include "core/config/Nearest.h"
#include "core/config/ValueText.h"
#include "core/config/imports/ProtobufTokens.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>
#include <optional>
#include <stdexcept>

namespace trainyard::protobuf {
namespace {

using Kind = FieldType::Kind;
using Content = decltype(Value::content);

constexpr int kMaxDepth = 100;

std::string kindText(const FieldType& field) {
    switch (field.kind) {
    case Kind::Bool:
        return "true or false";
    case Kind::Integer:
        return field.isUnsigned ? "a whole number of at least 0" : "a whole number";
    case Kind::Real:
        return "a number";
    case Kind::Text:
        return "a text in quotes";
    case Kind::Enum:
        return "one of " + enumerated(field.names);
    case Kind::Message:
        return "a group in braces";
    }
    return {};
}

std::optional<std::int64_t> wholeNumber(std::string text, bool isNegative) {
    const int base = text.starts_with("0x") || text.starts_with("0X") ? 16 : text.size() > 1 && text[0] == '0' ? 8 : 10;
    if (base == 16)
        text.erase(0, 2);
    std::uint64_t number = 0;
    const auto [end, code] = std::from_chars(text.data(), text.data() + text.size(), number, base);
    if (code != std::errc() || end != text.data() + text.size() ||
        number > std::uint64_t(std::numeric_limits<std::int64_t>::max()))
        return std::nullopt;
    return isNegative ? -std::int64_t(number) : std::int64_t(number);
}

std::optional<double> realNumber(std::string text, bool isNegative) {
    if (!text.empty() && (text.back() == 'f' || text.back() == 'F') && !text.starts_with("0x"))
        text.pop_back();
    const auto number = readReal(text);
    return number ? std::optional(isNegative ? -*number : *number) : std::nullopt;
}

/// A single value of the field's kind; nothing where the token is of another one.
std::optional<Content> contentOf(const FieldType& field, const Token& token, bool isNegative) {
    const bool isNumber = token.kind == Token::Kind::Number;
    switch (field.kind) {
    case Kind::Bool:
        if (isNegative || (token.kind != Token::Kind::Word && !isNumber))
            return std::nullopt;
        if (token.text == "true" || token.text == "True" || token.text == "t" || token.text == "1")
            return Content(true);
        if (token.text == "false" || token.text == "False" || token.text == "f" || token.text == "0")
            return Content(false);
        return std::nullopt;
    case Kind::Integer: {
        const auto number = isNumber ? wholeNumber(token.text, isNegative) : std::nullopt;
        const std::int64_t least = field.isUnsigned ? 0 : std::numeric_limits<std::int32_t>::min();
        const std::int64_t most = field.isUnsigned ? std::int64_t(std::numeric_limits<std::uint32_t>::max())
                                                   : std::int64_t(std::numeric_limits<std::int32_t>::max());
        return number && *number >= least && *number <= most ? std::optional<Content>(*number) : std::nullopt;
    }
    case Kind::Real: {
        const auto number = isNumber ? realNumber(token.text, isNegative) : std::nullopt;
        return number ? std::optional<Content>(*number) : std::nullopt;
    }
    case Kind::Text:
        return token.kind == Token::Kind::Text && !isNegative ? std::optional<Content>(token.text) : std::nullopt;
    case Kind::Enum: {
        if (token.kind == Token::Kind::Word && !isNegative &&
            std::find(field.names.begin(), field.names.end(), token.text) != field.names.end())
            return Content(token.text);
        const auto number = isNumber ? wholeNumber(token.text, isNegative) : std::nullopt;
        const auto place = number ? *number - field.firstNumber : -1;
        return place >= 0 && place < std::int64_t(field.names.size())
                   ? std::optional<Content>(field.names[std::size_t(place)])
                   : std::nullopt;
    }
    case Kind::Message:
        return std::nullopt;
    }
    return std::nullopt;
}

/// Thrown where the syntax is lost; what is wrong has been said.
struct Lost {};

class Parser {
public:
    Parser(std::string_view text, std::string name, std::vector<ConfigProblem>& problems)
        : m_tokens(text), m_name(std::move(name)), m_problems(problems) {}

    void whole(Message& message) {
        try {
            fields(message, '\0', 0);
        } catch (const Lost&) { // it was said
        }
    }

private:
    const Token& token() const { return m_tokens.current(); }

    void problem(const Token& at, const std::string& key, const std::string& message) {
        m_problems.push_back({m_name, at.line, at.column, key, message});
    }

    [[noreturn]] void lose(const std::string& wanted) {
        problem(token(), "",
                token().kind == Token::Kind::Bad ? token().text
                : token().kind == Token::Kind::End
                    ? fmt::format("The file ends where {} should follow.", wanted)
                    : fmt::format("Here should follow {}, not \"{}\".", wanted, shortened(token().text)));
        throw Lost();
    }

    bool take(char mark) {
        if (!token().isMark(mark))
            return false;
        m_tokens.next();
        return true;
    }

    /// Up to `end`, or the end of the file where that is 0.
    void fields(Message& message, char end, int depth) {
        if (depth > kMaxDepth)
            lose("no deeper group");
        while (true) {
            if (end == '\0' && token().kind == Token::Kind::End)
                return;
            if (end != '\0' && take(end))
                return;
            if (token().kind != Token::Kind::Word)
                lose(end == '\0' ? "the name of a field" : fmt::format("the name of a field or \"{}\"", end));
            oneField(message, depth);
            if (!take(','))
                take(';');
        }
    }

    void oneField(Message& message, int depth) {
        const Token name = token();
        m_tokens.next();
        const FieldType* field = message.type().find(name.text);
        if (!field)
            sayUnknown(message.type(), name);
        const bool hasColon = take(':');
        if (take('[')) {
            if (field && !field->isRepeated)
                problem(name, name.text, fmt::format("{} takes a single value, not a list.", name.text));
            while (!take(']')) {
                one(message, field, name, true, depth);
                if (!take(',') && !token().isMark(']'))
                    lose("\",\" or \"]\"");
            }
            return;
        }
        one(message, field, name, hasColon, depth);
    }

    void sayUnknown(const MessageType& type, const Token& name) {
        std::vector<std::string> known;
        for (const FieldType& field : type.fields)
            known.emplace_back(field.name);
        const std::string nearest = nearestOf(name.text, known);
        problem(name, name.text,
                fmt::format("{} has no field {}{}", type.name, name.text,
                            nearest.empty() ? "." : "; did you mean " + nearest + "?"));
    }

    /// One value. Where the field is not known, or the value is not its own, it is passed over.
    void one(Message& message, const FieldType* field, const Token& name, bool hasColon, int depth) {
        const bool isBrace = token().isMark('{'), isAngle = token().isMark('<');
        if (isBrace || isAngle) {
            m_tokens.next();
            static const MessageType unknown{"an unknown group", {}};
            const bool isGroup = field && field->kind == Kind::Message;
            if (field && !isGroup)
                problem(name, name.text, fmt::format("{} must be {}, not a group.", name.text, kindText(*field)));
            auto inner = std::make_shared<Message>(isGroup ? *field->message : unknown);
            const std::size_t before = m_problems.size();
            fields(*inner, isBrace ? '}' : '>', depth + 1);
            if (!isGroup)
                m_problems.resize(before); // one sentence about it is enough
            else
                keep(message, *field, name, std::shared_ptr<const Message>(inner));
            return;
        }
        if (!hasColon)
            lose("\":\" or \"{\"");
        const bool isNegative = take('-');
        const Token value = token();
        if (value.kind == Token::Kind::End || value.kind == Token::Kind::Mark || value.kind == Token::Kind::Bad)
            lose("a value");
        m_tokens.next();
        if (!field)
            return;
        if (auto content = contentOf(*field, value, isNegative))
            keep(message, *field, name, std::move(*content));
        else
            problem(value, name.text,
                    fmt::format("{} must be {}, not {}{}.", name.text, kindText(*field), isNegative ? "-" : "",
                                shortened(value.text)));
    }

    void keep(Message& message, const FieldType& field, const Token& name, Content content) {
        if (!field.isRepeated && message.has(field.name))
            return problem(
                name, name.text,
                fmt::format("{} is given twice; the first is on line {}.", name.text, message.find(field.name)->line));
        if (*field.oneof != '\0')
            if (const std::string other = message.chosen(field.oneof); !other.empty() && other != field.name)
                return problem(
                    name, name.text,
                    fmt::format("{} cannot stand beside {}: only one of them can be chosen.", name.text, other));
        message.add({&field, name.line, name.column, std::move(content)});
    }

    Tokens m_tokens;
    std::string m_name;
    std::vector<ConfigProblem>& m_problems;
};

} // namespace

Message parse(std::string_view text, const std::string& name, const MessageType& type,
              std::vector<ConfigProblem>& problems) {
    Message message(type);
    Parser(text, name, problems).whole(message);
    return message;
}

} // namespace trainyard::protobuf
