#pragma once

#include <ATen/core/Tensor.h>

#include <cstdint>
#include <memory>
#include <string>
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
using Text = std::shared_ptr<const std::string>;
using Item =
    std::variant<std::monostate, Mark, bool, std::int64_t, double, Text, Container*, Global, Storage, at::Tensor>;

enum class Kind { List, Tuple, Dict };
/// Owned by the reader, so that cycles neither leak nor recurse.
struct Container {
    Kind kind = Kind::List;
    std::vector<Item> items; ///< of a dict: key, value, key, value
};

// Each throws a Failure where the item is something else.
const Container& containerOf(const Item& item);
std::int64_t integerOf(const Item& item);
const std::string& textOf(const Item& item);
std::vector<std::int64_t> integersOf(const Item& item);

} // namespace trainyard::pickle
