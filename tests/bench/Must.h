#pragma once

#include "core/base/Error.h"

#include <stdexcept>
#include <utility>

namespace trainyard::bench {

/// The value, or the end of the benchmark.
template <class T>
T must(Result<T> result) {
    if (!result)
        throw std::runtime_error(result.error().sentence());
    return std::move(*result);
}
inline void must(const Result<void>& result) {
    if (!result)
        throw std::runtime_error(result.error().sentence());
}

} // namespace trainyard::bench
