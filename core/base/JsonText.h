#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

/// JSON as text: where something stands in it. A JSON value itself does not remember its place.
namespace trainyard::jsontext {

/// Keys and list positions that lead to a value from the outside in: {"annotations", "3", "bbox"}.
using Path = std::vector<std::string>;

/// The first byte at which a text stops being JSON (RFC 8259), and what would have been right there.
struct Fault {
    std::size_t offset = 0;
    std::string expected; ///< "a comma or \"]\""
};
std::optional<Fault> firstFault(std::string_view text);

/// The first byte of the value at `path`; of the innermost value around it that there is, where it leads to none.
std::size_t offsetOf(std::string_view text, const Path& path);

} // namespace trainyard::jsontext
