#include "core/solve/GradientKernels.h"

#include "core/nn/VectorClones.h"

namespace trainyard {

TRAINYARD_VECTOR_CLONES
double sumOfSquares(const float* values, std::int64_t count) {
    double sum = 0;
#pragma omp simd reduction(+ : sum)
    for (std::int64_t i = 0; i < count; ++i)
        sum += double(values[i]) * double(values[i]);
    return sum;
}

TRAINYARD_VECTOR_CLONES
void scaleAndClamp(float* values, std::int64_t count, float factor, float limit) {
#pragma omp simd
    for (std::int64_t i = 0; i < count; ++i) {
        const float scaled = values[i] * factor;
        const float capped = scaled > limit ? limit : scaled;
        values[i] = capped < -limit ? -limit : capped;
    }
}

} // namespace trainyard
