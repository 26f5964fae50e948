#include "core/base/JsonText.h"

#include <algorithm>
#include <cstdint>

namespace trainyard::jsontext {
namespace {

bool isDigit(char c) {
    return c >= '0' && c <= '9';
}

/// Walks over a text value by value, without recursion, and notes where the value at `wanted` begins.
class Walk {
public:
    explicit Walk(std::string_view text, const Path* wanted = nullptr) : m_text(text), m_wanted(wanted) {
        if (m_text.starts_with("\xEF\xBB\xBF"))
            m_at = 3;
    }

    std::optional<Fault> run() {
        while (value()) {
            while (m_isComplete && !m_open.empty() && afterValue()) {
            }
            if (m_fault || m_isComplete)
                break;
        }
        if (!m_fault && (skipBlanks(), m_at < m_text.size()))
            fail("the end of the file");
        return m_fault;
    }

    std::size_t found() const { return m_found; }

private:
    struct Level {
        bool isObject = false;
        std::size_t position = 0;
        std::string key;
    };

    bool fail(std::string expected) {
        m_fault = Fault{std::min(m_at, m_text.size()), std::move(expected)};
        return false;
    }
    char peek() const { return m_at < m_text.size() ? m_text[m_at] : '\0'; }
    bool take(char c) { return m_at < m_text.size() && m_text[m_at] == c ? ++m_at, true : false; }
    void skipBlanks() { m_at = std::min(m_text.find_first_not_of(" \t\r\n", m_at), m_text.size()); }

    /// A value, or the opening of one with what comes before its first member.
    bool value() {
        skipBlanks();
        note();
        const char c = peek();
        if (c == '{' || c == '[')
            return open(c == '{');
        m_isComplete = true;
        if (c == '"')
            return string();
        if (c == '-' || isDigit(c))
            return number();
        for (const std::string_view word : {"true", "false", "null"})
            if (m_text.substr(m_at).starts_with(word)) {
                m_at += word.size();
                return true;
            }
        return fail("a value (a number, a text in quotes, true, false, null, a list or an object)");
    }

    bool open(bool isObject) {
        ++m_at;
        m_open.push_back({isObject, 0, ""});
        skipBlanks();
        m_isComplete = take(isObject ? '}' : ']');
        if (m_isComplete) {
            m_open.pop_back();
            return true;
        }
        return !isObject || key(true);
    }

    /// Goes on to the next member's value, or closes; true while a complete value was reached.
    bool afterValue() {
        skipBlanks();
        Level& level = m_open.back();
        if (take(level.isObject ? '}' : ']')) {
            m_open.pop_back();
            return true;
        }
        if (!take(','))
            return fail(level.isObject ? "a comma or \"}\"" : "a comma or \"]\"");
        ++level.position;
        m_isComplete = false;
        if (level.isObject)
            key(false);
        return false;
    }

    bool key(bool isFirst) {
        skipBlanks();
        if (peek() != '"')
            return fail(isFirst ? "a key in quotes or \"}\"" : "a key in quotes");
        const std::size_t start = m_at + 1;
        if (!string())
            return false;
        m_open.back().key = m_text.substr(start, m_at - 1 - start);
        skipBlanks();
        return take(':') || fail("a colon");
    }

    bool string() {
        for (++m_at; m_at < m_text.size(); ++m_at) {
            const auto c = static_cast<unsigned char>(m_text[m_at]);
            if (c == '"')
                return ++m_at, true;
            if (c < 0x20)
                return fail("a character that is no line break and no other control character; \\n stands for one");
            if (c == '\\' && !escape())
                return false;
        }
        return fail("a quote that ends the text");
    }

    bool escape() {
        ++m_at;
        if (peek() != 'u')
            return std::string_view("\"\\/bfnrt").find(peek()) != std::string_view::npos && m_at < m_text.size()
                       ? true
                       : fail("one of \" \\ / b f n r t u after a backslash");
        for (int i = 0; i < 4; ++i) {
            ++m_at;
            if (std::string_view("0123456789abcdefABCDEF").find(peek()) == std::string_view::npos)
                return fail("four hexadecimal digits after \\u");
        }
        return true;
    }

    bool number() {
        const auto digits = [this] {
            if (!isDigit(peek()))
                return fail("a digit");
            while (isDigit(peek()))
                ++m_at;
            return true;
        };
        take('-');
        if (!take('0') && !digits())
            return false;
        if (take('.') && !digits())
            return false;
        if (take('e') || take('E')) {
            if (!take('+'))
                take('-');
            return digits();
        }
        return true;
    }

    void note() {
        if (!m_wanted || m_open.size() > m_wanted->size())
            return;
        for (std::size_t i = m_open.size(); i-- > 0;) {
            const Level& level = m_open[i];
            if ((*m_wanted)[i] != (level.isObject ? level.key : std::to_string(level.position)))
                return;
        }
        m_found = m_at;
    }

    std::string_view m_text;
    const Path* m_wanted;
    std::size_t m_at = 0, m_found = 0;
    std::vector<Level> m_open;
    bool m_isComplete = false;
    std::optional<Fault> m_fault;
};

} // namespace

std::optional<Fault> firstFault(std::string_view text) {
    return Walk(text).run();
}

std::size_t offsetOf(std::string_view text, const Path& path) {
    Walk walk(text, &path);
    (void)walk.run(); // what follows a fault is not reached, and what was found before it stands
    return walk.found();
}

} // namespace trainyard::jsontext
