#pragma once

#include <string>

namespace trainyard {

/// A text as a field of a CSV line (RFC 4180): in quotes where it needs them.
inline std::string csvField(const std::string& text) {
    if (text.find_first_of(",\"\r\n") == std::string::npos)
        return text;
    std::string quoted = "\"";
    for (const char c : text) {
        if (c == '"')
            quoted += '"';
        quoted += c;
    }
    return quoted + '"';
}

} // namespace trainyard
