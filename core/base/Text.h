#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

/// Text of files that people and other programs wrote, all UTF-8.
namespace trainyard::text {

/// The code points; nothing when the bytes are no UTF-8.
std::optional<std::u32string> decode(std::string_view utf8);
/// The code points, and U+FFFD for each byte that belongs to none.
std::u32string repaired(std::string_view utf8);
std::string encode(char32_t character);
std::string encode(std::u32string_view characters);

/// Without a byte order mark; lines end in LF or CRLF, or all in CR; the last one may lack its end.
std::vector<std::string_view> lines(std::string_view text);

/// Without blanks and tabs at both ends.
std::string_view trimmed(std::string_view text);

/// With "A" to "Z" as small letters.
std::string lowered(std::string text);

/// The finite number that the whole text says, blanks around it aside; nothing for anything else.
std::optional<double> number(std::string_view text);

/// Line and column of a byte, both counted from 1; a column is a byte.
struct Place {
    std::size_t line = 1, column = 1;
};
Place placeAt(std::string_view text, std::size_t offset);
/// "line 3, column 7" of the byte at `offset`.
std::string place(std::string_view text, std::size_t offset);

/// "a, b, c and 4 more".
std::string joined(const std::vector<std::string>& names, std::size_t most = 12);

} // namespace trainyard::text
