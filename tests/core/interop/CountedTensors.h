#pragma once

#include <ATen/ATen.h>

#include <vector>

namespace trainyard::testing {

/// 0, 1, 2, … in a shape: what the scripts of tests/data/interop put into every tensor.
inline at::Tensor counted(const std::vector<std::int64_t>& shape, at::ScalarType type = at::kFloat) {
    std::int64_t count = 1;
    for (const auto size : shape)
        count *= size;
    return at::arange(count, at::kLong).reshape(shape).to(type);
}

inline bool isSame(const at::Tensor& a, const at::Tensor& b) {
    return a.scalar_type() == b.scalar_type() && a.sizes() == b.sizes() && a.equal(b);
}

} // namespace trainyard::testing
