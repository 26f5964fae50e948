#include "core/base/Letters.h"

#include <cstdlib>
#include <utf8proc.h>

namespace trainyard::text {
namespace {

bool isTurkish(char32_t c) {
    return c == U'İ' || c == U'ı';
}

} // namespace

std::string composed(std::string_view utf8) {
    utf8proc_uint8_t* mapped = nullptr;
    const auto length =
        utf8proc_map(reinterpret_cast<const utf8proc_uint8_t*>(utf8.data()), utf8proc_ssize_t(utf8.size()), &mapped,
                     utf8proc_option_t(UTF8PROC_STABLE | UTF8PROC_COMPOSE));
    if (length < 0) // no UTF-8, or no memory
        return std::string(utf8);
    std::string result(reinterpret_cast<const char*>(mapped), std::size_t(length));
    std::free(mapped);
    return result;
}

char32_t folded(char32_t c) {
    utf8proc_int32_t codes[8] = {};
    const auto count = utf8proc_decompose_char(utf8proc_int32_t(c), codes, 8, UTF8PROC_CASEFOLD, nullptr);
    // What folds to several characters ("ß" to "ss") has at most a simple form besides ("ẞ" to "ß").
    return count == 1 && !isTurkish(c) ? char32_t(codes[0]) : lower(c);
}

std::u32string folded(std::u32string_view characters) {
    std::u32string result;
    for (const char32_t c : characters)
        result += folded(c);
    return result;
}

char32_t lower(char32_t c) {
    return isTurkish(c) ? c : char32_t(utf8proc_tolower(utf8proc_int32_t(c)));
}

char32_t upper(char32_t c) {
    // In capitals "ß" is "SS", which is no single character; "ẞ" is what utf8proc makes of it and few write.
    return isTurkish(c) || c == U'ß' ? c : char32_t(utf8proc_toupper(utf8proc_int32_t(c)));
}

} // namespace trainyard::text
