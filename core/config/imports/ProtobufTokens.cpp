#include "core/config/imports/ProtobufTokens.h"

#include "core/base/Text.h"

#include <cctype>

namespace trainyard::protobuf {
namespace {

bool isWordStart(char c) {
    return std::isalpha(static_cast<unsigned char>(c)) || c == '_';
}
bool isWordPart(char c) {
    return std::isalnum(static_cast<unsigned char>(c)) || c == '_';
}
bool isDigit(char c) {
    return c >= '0' && c <= '9';
}

} // namespace

char Tokens::take() {
    const char c = m_rest.front();
    m_rest.remove_prefix(1);
    if (c == '\n') {
        ++m_line;
        m_column = 1;
    } else {
        ++m_column;
    }
    return c;
}

void Tokens::skipBlanks() {
    while (!m_rest.empty()) {
        if (m_rest.front() == '#')
            while (!m_rest.empty() && m_rest.front() != '\n')
                take();
        else if (std::isspace(static_cast<unsigned char>(m_rest.front())))
            take();
        else
            return;
    }
}

void Tokens::next() {
    m_current = read();
}

Token Tokens::read() {
    skipBlanks();
    Token token;
    token.line = m_line;
    token.column = m_column;
    if (m_rest.empty())
        return token;
    const char first = m_rest.front();
    if (first == '"' || first == '\'') {
        Token text = readText();
        text.line = token.line;
        text.column = token.column;
        return text;
    }
    if (isWordStart(first)) {
        token.kind = Token::Kind::Word;
        while (!m_rest.empty() && isWordPart(m_rest.front()))
            token.text += take();
        return token;
    }
    const bool isPoint = first == '.' && m_rest.size() > 1 && isDigit(m_rest[1]);
    if (isDigit(first) || isPoint) {
        token.kind = Token::Kind::Number;
        while (!m_rest.empty() &&
               (isWordPart(m_rest.front()) || m_rest.front() == '.' ||
                ((m_rest.front() == '-' || m_rest.front() == '+') &&
                 (token.text.back() == 'e' || token.text.back() == 'E') && !token.text.starts_with("0x"))))
            token.text += take();
        return token;
    }
    token.kind = Token::Kind::Mark;
    token.text = take();
    return token;
}

Token Tokens::readText() {
    Token token;
    token.kind = Token::Kind::Text;
    do {
        const char quote = take();
        while (true) {
            if (m_rest.empty() || m_rest.front() == '\n')
                return {Token::Kind::Bad, "A text ends with its line; its closing quote is missing."};
            const char c = take();
            if (c == quote)
                break;
            if (c != '\\')
                token.text += c;
            else if (!readEscape(token.text))
                return {Token::Kind::Bad, "A text holds an escape that there is not."};
        }
        skipBlanks();
    } while (!m_rest.empty() && (m_rest.front() == '"' || m_rest.front() == '\''));
    return token;
}

bool Tokens::readEscape(std::string& text) {
    if (m_rest.empty())
        return false;
    const char c = take();
    const auto number = [&](int base, int most, std::string digits) {
        while (!m_rest.empty() && int(digits.size()) < most &&
               (base == 16 ? std::isxdigit(static_cast<unsigned char>(m_rest.front()))
                           : m_rest.front() >= '0' && m_rest.front() <= '7'))
            digits += take();
        return digits.empty() ? -1L : std::stol(digits, nullptr, base);
    };
    constexpr std::string_view kNames = "abfnrtv\\'\"?", kValues = "\a\b\f\n\r\t\v\\'\"?";
    if (const std::size_t at = kNames.find(c); at != std::string_view::npos) {
        text += kValues[at];
        return true;
    }
    long value = -1;
    if (c >= '0' && c <= '7')
        value = number(8, 3, std::string(1, c));
    else if (c == 'x' || c == 'X')
        value = number(16, 2, "");
    else if (c == 'u' || c == 'U') {
        value = number(16, c == 'u' ? 4 : 8, "");
        if (value < 0 || value > 0x10ffff)
            return false;
        text += text::encode(char32_t(value));
        return true;
    }
    if (value < 0 || value > 255)
        return false;
    text += char(value);
    return true;
}

} // namespace trainyard::protobuf
