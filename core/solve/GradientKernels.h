#pragma once

#include <cstdint>

namespace trainyard {

/// In double, where squares of float32 cannot overflow: the sum is finite exactly when every value is.
double sumOfSquares(const float* values, std::int64_t count);

/// Multiplies by `factor`, then keeps within ±`limit` (infinity for none).
void scaleAndClamp(float* values, std::int64_t count, float factor, float limit);

} // namespace trainyard
