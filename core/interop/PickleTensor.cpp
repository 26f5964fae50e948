#include "core/interop/PickleTensor.h"

#include <ATen/ATen.h>

#include <algorithm>

namespace trainyard::pickle {
namespace {

constexpr std::size_t kMostSizes = 32;

/// Whether every element that (offset, sizes, strides) reaches lies among the `count` of its storage.
bool spanFits(std::int64_t offset, const std::vector<std::int64_t>& sizes, const std::vector<std::int64_t>& strides,
              std::int64_t count) {
    if (offset < 0 || offset > count || sizes.size() != strides.size() || sizes.size() > kMostSizes)
        return false;
    std::int64_t last = offset, elements = 1;
    for (std::size_t d = 0; d < sizes.size(); ++d)
        if (sizes[d] < 0 || strides[d] < 0)
            return false;
    if (std::find(sizes.begin(), sizes.end(), 0) != sizes.end())
        return std::all_of(sizes.begin(), sizes.end(), [](std::int64_t s) { return s <= std::int64_t(1) << 40; });
    for (std::size_t d = 0; d < sizes.size(); ++d) {
        std::int64_t reach = 0;
        if (__builtin_mul_overflow(sizes[d] - 1, strides[d], &reach) || __builtin_add_overflow(last, reach, &last) ||
            __builtin_mul_overflow(elements, sizes[d], &elements))
            return false;
    }
    return last < count && elements <= count; // the second: no huge tensor from a stride of 0
}

} // namespace

at::Tensor rebuiltTensor(const Container& arguments) {
    const std::vector<Item>& parts = arguments.items;
    if (parts.size() < 4 || !std::holds_alternative<Storage>(parts[0]))
        throw Failure{"The pickle describes a tensor without its storage."};
    const at::Tensor& elements = std::get<Storage>(parts[0]).elements;
    const std::int64_t offset = integerOf(parts[1]);
    const auto sizes = integersOf(parts[2]), strides = integersOf(parts[3]);
    if (!spanFits(offset, sizes, strides, elements.numel()))
        throw Failure{"The file describes a tensor that reaches beyond its storage."};
    return elements.as_strided(sizes, strides, offset);
}

void makeBoolsSound(const at::Tensor& elements) {
    if (elements.scalar_type() != at::kBool)
        return;
    auto* flags = static_cast<std::uint8_t*>(elements.data_ptr());
    for (std::int64_t i = 0; i < elements.numel(); ++i)
        flags[i] = flags[i] != 0;
}

} // namespace trainyard::pickle
