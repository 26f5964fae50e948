#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace trainyard {

/// `text` as a YAML scalar inside a flow or block: plain where nothing could be misread, else in double quotes.
std::string yamlQuoted(std::string_view text);

/// The shortest decimal form that reads back to the same value; "1.0" rather than "1".
std::string shortest(double value);

/// A whole number as people write it: 1000, 1e3, 1000.0. Nothing when it is not whole or beyond 64 bits.
std::optional<std::int64_t> readInteger(std::string_view text);

/// A finite decimal number.
std::optional<double> readReal(std::string_view text);

/// Whether the bytes are UTF-8 as RFC 3629 defines it.
bool isUtf8(std::string_view bytes);

/// The beginning of a long text, for a message.
std::string shortened(std::string text);

} // namespace trainyard
