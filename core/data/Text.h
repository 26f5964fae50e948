#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

/// Text of annotation files, all UTF-8.
namespace trainyard::text {

/// The code points; nothing when the bytes are no UTF-8.
std::optional<std::u32string> decode(std::string_view utf8);
std::string encode(char32_t character);
std::string encode(std::u32string_view characters);

/// Small letters for Latin, Greek and Cyrillic capitals; everything else stays. The same on every system.
char32_t lower(char32_t character);
char32_t upper(char32_t character);

/// Without a byte order mark; lines end in LF or CRLF, the last one may lack its end.
std::vector<std::string_view> lines(std::string_view text);

/// Without blanks and tabs at both ends.
std::string_view trimmed(std::string_view text);

/// "line 3, column 7" of the byte at `offset`.
std::string place(std::string_view text, std::size_t offset);

/// "a, b, c and 4 more".
std::string joined(const std::vector<std::string>& names, std::size_t most = 12);

} // namespace trainyard::text
