#pragma once

#include <string>
#include <string_view>

/// Which characters are the same, decided once for transcripts, alphabets and evaluation. The same on every system:
/// the tables are utf8proc's, no locale is asked.
///
/// * Transcripts and alphabets are compared in Unicode's composed normal form (NFC): "e" with a combining acute is "é".
///   A combining mark that composes with nothing stays a character of its own, which an alphabet may list or lack.
/// * Compatible is not equal: full-width "Ａ", ligatures and superscripts are characters of their own.
/// * Without case, one character equals one other by Unicode's simple case folding: "Ａ" is "ａ", "ẞ" is "ß", final "ς"
///   is "σ", "Ÿ" is "ÿ". "ß" is not "ss", since a recogniser writes one symbol for each character. Turkish "İ" and "ı"
///   have no other case: they are neither "i" nor "I".
namespace trainyard::text {

/// NFC. The text itself where it is no UTF-8.
std::string composed(std::string_view utf8);

/// The form under which a character is compared without case.
char32_t folded(char32_t character);
std::u32string folded(std::u32string_view characters);

/// The small letter and the capital of a letter, of one character each; the character itself where there is none.
char32_t lower(char32_t character);
char32_t upper(char32_t character);

} // namespace trainyard::text
