#pragma once

#include <ATen/core/Tensor.h>

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

/// What lies on the stack of a pickle's machine.
namespace trainyard::pickle {

/// What is wrong with a pickle, as a sentence; thrown inside the reader, which catches it.
struct Failure {
    std::string what;
};

struct Mark {};
struct Global {
    std::shared_ptr<const std::string> name; ///< "module name"
};
struct Storage {
    at::Tensor elements; ///< 1-D
};
struct Container;
struct Dtype;
struct Array;
using Text = std::string_view; ///< text or bytes; of the pickle itself, or of the stack's own
using Item = std::variant<std::monostate, Mark, bool, std::int64_t, double, Text, Container*, Global, Storage,
                          at::Tensor, Dtype*, Array*>;

enum class Kind { List, Tuple, Dict };
/// Owned by the reader, so that cycles neither leak nor recurse.
struct Container {
    Kind kind = Kind::List;
    std::vector<Item> items; ///< of a dict: key, value, key, value
};

/// NumPy's element type. Owned by the stack, as others may share it before its byte order is known.
struct Dtype {
    char kind = 'f'; ///< f, i, u or b
    int bytes = 4;
    bool isSwapped = false; ///< big-endian
};
/// A NumPy array, which is made empty and filled later. Owned by the stack.
struct Array {
    at::Tensor values; ///< undefined until it is filled
};

// Each throws a Failure where the item is something else.
const Container& containerOf(const Item& item);
std::int64_t integerOf(const Item& item);
std::string_view textOf(const Item& item);
std::vector<std::int64_t> integersOf(const Item& item);

} // namespace trainyard::pickle
