#include "core/base/Error.h"

namespace trainyard {
namespace {

/// A line break in a path or a value would tear the sentence apart: it is shown as it is written in code.
std::string onOneLine(const std::string& text) {
    std::string line;
    for (const char c : text)
        switch (c) {
        case '\n':
            line += "\\n";
            break;
        case '\r':
            line += "\\r";
            break;
        case '\x1b': // nor may a file's name steer the terminal
            line += "\\e";
            break;
        default:
            line += c;
        }
    return line;
}

} // namespace

std::string Error::sentence() const {
    std::string text;
    if (!where.empty())
        text += where + ": ";
    text += what;
    if (!remedy.empty())
        text += " " + remedy;
    text = onOneLine(text);
    for (const Error& other : others)
        text += '\n' + other.sentence();
    return text;
}

int exitCode(ErrorKind kind) {
    switch (kind) {
    case ErrorKind::Usage:
        return 2;
    case ErrorKind::Data:
        return 3;
    case ErrorKind::NonFinite:
        return 4;
    case ErrorKind::Damaged:
        return 5;
    case ErrorKind::Interrupted:
        return 130;
    case ErrorKind::Unexpected:
        break;
    }
    return 1;
}

} // namespace trainyard
