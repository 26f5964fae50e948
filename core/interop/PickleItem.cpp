#include "core/interop/PickleItem.h"

namespace trainyard::pickle {

const Container& containerOf(const Item& item) {
    if (const auto* found = std::get_if<Container*>(&item))
        return **found;
    throw Failure{"The pickle holds a single value where a group is needed."};
}

std::int64_t integerOf(const Item& item) {
    if (const auto* found = std::get_if<std::int64_t>(&item))
        return *found;
    throw Failure{"The pickle lacks a number where one is needed."};
}

std::string_view textOf(const Item& item) {
    if (const auto* found = std::get_if<Text>(&item))
        return *found;
    throw Failure{"The pickle lacks a text where one is needed."};
}

std::vector<std::int64_t> integersOf(const Item& item) {
    std::vector<std::int64_t> numbers;
    for (const Item& entry : containerOf(item).items)
        numbers.push_back(integerOf(entry));
    return numbers;
}

} // namespace trainyard::pickle
