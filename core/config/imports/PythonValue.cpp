#include "core/config/imports/PythonValue.h"

#include "core/config/ValueText.h"

#include <fmt/format.h>

#include <cctype>
#include <charconv>
#include <cmath>

namespace trainyard {
namespace {

constexpr int kMaxDepth = 50;

/// Reads one literal from its front. Any failure is an empty answer.
class LiteralReader {
public:
    explicit LiteralReader(std::string_view text) : m_text(text) {}

    std::optional<PythonValue> whole() {
        auto value = read(0);
        skipBlanks();
        return value && m_text.empty() ? value : std::nullopt;
    }

private:
    std::optional<PythonValue> read(int depth) {
        skipBlanks();
        if (m_text.empty() || depth > kMaxDepth)
            return std::nullopt;
        const char first = m_text.front();
        if (first == '(' || first == '[')
            return sequence(depth);
        if (first == '{')
            return dict(depth);
        if (first == '\'' || first == '"' ||
            ((first == 'u' || first == 'b') && m_text.size() > 1 && isQuote(m_text[1])))
            return texts();
        for (const auto& [word, value] : {std::pair<std::string_view, PythonValue>("True", {true}),
                                          {"False", {false}},
                                          {"None", {std::monostate()}}})
            if (m_text.starts_with(word)) {
                m_text.remove_prefix(word.size());
                return isWordNext() ? std::nullopt : std::optional(value);
            }
        return number();
    }

    /// (), (a,), (a, b), [a, b] with or without a last comma; (a) is a itself.
    std::optional<PythonValue> sequence(int depth) {
        const bool isTuple = m_text.front() == '(';
        const char end = isTuple ? ')' : ']';
        m_text.remove_prefix(1);
        std::vector<PythonValue> items;
        bool hasComma = false;
        while (!take(end)) {
            if (!items.empty() && !hasComma)
                return std::nullopt;
            auto item = read(depth + 1);
            if (!item)
                return std::nullopt;
            items.push_back(std::move(*item));
            hasComma = take(',');
        }
        if (!isTuple)
            return PythonValue{PythonValue::List{std::move(items)}};
        if (items.size() == 1 && !hasComma)
            return std::move(items.front());
        return PythonValue{PythonValue::Tuple{std::move(items)}};
    }

    std::optional<PythonValue> dict(int depth) {
        m_text.remove_prefix(1);
        PythonValue::Dict dict;
        bool hasComma = true;
        while (!take('}')) {
            auto key = hasComma ? read(depth + 1) : std::nullopt;
            auto value = key && take(':') ? read(depth + 1) : std::nullopt;
            if (!value)
                return std::nullopt;
            dict.entries.emplace_back(std::move(*key), std::move(*value));
            hasComma = take(',');
        }
        return PythonValue{std::move(dict)};
    }

    /// Texts that follow each other are one.
    std::optional<PythonValue> texts() {
        std::string all;
        do {
            if (m_text.front() == 'u' || m_text.front() == 'b')
                m_text.remove_prefix(1);
            const char quote = m_text.front();
            m_text.remove_prefix(1);
            while (true) {
                if (m_text.empty() || m_text.front() == '\n')
                    return std::nullopt;
                const char c = m_text.front();
                m_text.remove_prefix(1);
                if (c == quote)
                    break;
                if (c != '\\') {
                    all += c;
                    continue;
                }
                if (m_text.empty())
                    return std::nullopt;
                const char escaped = m_text.front();
                m_text.remove_prefix(1);
                all += escaped == 'n'                        ? "\n"
                       : escaped == 't'                      ? "\t"
                       : isQuote(escaped) || escaped == '\\' ? std::string(1, escaped)
                                                             : std::string("\\") + escaped;
            }
            skipBlanks();
        } while (!m_text.empty() && isQuote(m_text.front()));
        return PythonValue{std::move(all)};
    }

    std::optional<PythonValue> number() {
        std::size_t size = 0;
        while (size < m_text.size() &&
               (std::isalnum(static_cast<unsigned char>(m_text[size])) || m_text[size] == '.' || m_text[size] == '_' ||
                ((m_text[size] == '-' || m_text[size] == '+') &&
                 (size == 0 || m_text[size - 1] == 'e' || m_text[size - 1] == 'E'))))
            ++size;
        std::string digits;
        for (const char c : m_text.substr(0, size))
            if (c != '_')
                digits += c;
        if (digits.starts_with('+'))
            digits.erase(0, 1);
        m_text.remove_prefix(size);
        std::int64_t whole = 0;
        const char* end = digits.data() + digits.size();
        if (const auto [stop, code] = std::from_chars(digits.data(), end, whole); stop == end && code == std::errc())
            return PythonValue{whole};
        double real = 0;
        if (const auto [stop, code] = std::from_chars(digits.data(), end, real);
            stop == end && code == std::errc() && std::isfinite(real))
            return PythonValue{real};
        return std::nullopt;
    }

    static bool isQuote(char c) { return c == '\'' || c == '"'; }
    bool isWordNext() const {
        return !m_text.empty() && (std::isalnum(static_cast<unsigned char>(m_text.front())) || m_text.front() == '_');
    }
    void skipBlanks() {
        while (!m_text.empty() && std::isspace(static_cast<unsigned char>(m_text.front())))
            m_text.remove_prefix(1);
    }
    bool take(char c) {
        skipBlanks();
        if (m_text.empty() || m_text.front() != c)
            return false;
        m_text.remove_prefix(1);
        return true;
    }

    std::string_view m_text;
};

std::string joinedTexts(const std::vector<PythonValue>& items) {
    std::string text;
    for (const PythonValue& item : items)
        text.append(text.empty() ? "" : ", ").append(item.text());
    return text;
}

std::string quoted(const std::string& text) {
    std::string all;
    for (const char c : text)
        all += c == '\'' ? "\\'" : c == '\n' ? "\\n" : std::string(1, c);
    return fmt::format("'{}'", all);
}

} // namespace

const char* PythonValue::typeName() const {
    constexpr const char* kNames[] = {"None", "bool", "int", "float", "str", "tuple", "list", "dict"};
    return kNames[content.index()];
}

std::string PythonValue::text() const {
    struct Writer {
        std::string operator()(std::monostate) const { return "None"; }
        std::string operator()(bool flag) const { return flag ? "True" : "False"; }
        std::string operator()(std::int64_t number) const { return std::to_string(number); }
        std::string operator()(double number) const { return shortest(number); }
        std::string operator()(const std::string& text) const { return quoted(text); }
        std::string operator()(const Tuple& tuple) const {
            return fmt::format("({}{})", joinedTexts(tuple.items), tuple.items.size() == 1 ? "," : "");
        }
        std::string operator()(const List& list) const { return fmt::format("[{}]", joinedTexts(list.items)); }
        std::string operator()(const Dict& dict) const {
            std::string all;
            for (const auto& [key, value] : dict.entries)
                all += fmt::format("{}{}: {}", all.empty() ? "" : ", ", key.text(), value.text());
            return fmt::format("{{{}}}", all);
        }
    };
    return std::visit(Writer(), content);
}

const std::vector<PythonValue>* PythonValue::items() const {
    if (const auto* tuple = std::get_if<Tuple>(&content))
        return &tuple->items;
    const auto* list = std::get_if<List>(&content);
    return list ? &list->items : nullptr;
}

std::optional<double> PythonValue::number() const {
    if (const auto* whole = std::get_if<std::int64_t>(&content))
        return double(*whole);
    const auto* real = std::get_if<double>(&content);
    return real ? std::optional(*real) : std::nullopt;
}

std::optional<PythonValue> pythonLiteral(std::string_view text) {
    return LiteralReader(text).whole();
}

} // namespace trainyard
