#pragma once

#include <string>
#include <string_view>

namespace trainyard::protobuf {

/// A piece of a file of the text format.
struct Token {
    enum class Kind { End, Word, Number, Text, Mark, Bad };
    Kind kind = Kind::End;
    std::string text; ///< without quotes and escapes; of a bad one the sentence why
    int line = 1, column = 1;

    bool isMark(char mark) const { return kind == Kind::Mark && text[0] == mark; }
};

/// Cuts a text into tokens. Comments reach from # to the end of their line. Texts that follow each other are one.
class Tokens {
public:
    explicit Tokens(std::string_view text) : m_rest(text) { next(); }

    const Token& current() const { return m_current; }
    void next();

private:
    Token read();
    Token readText();
    bool readEscape(std::string& text);
    void skipBlanks();
    char take();

    std::string_view m_rest;
    int m_line = 1, m_column = 1;
    Token m_current;
};

} // namespace trainyard::protobuf
