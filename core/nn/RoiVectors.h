#pragma once

#include <c10/util/BFloat16.h>

#include <cstdint>

/// The inner loops of the operators on regions of interest, over the channels of one cell of a channels-last map.
/// bfloat16 is read, and computed with in float.
namespace trainyard::roi {

/// A cell of a map, by its first element, and how much it counts.
template <class Real>
struct Tap {
    std::int64_t offset;
    Real weight;
};

/// out[c] = the taps' weighted sum of map[offset + c].
void gatherTaps(float* out, const float* map, const Tap<float>* taps, std::int64_t tapCount, std::int64_t channels);
void gatherTaps(float* out, const c10::BFloat16* map, const Tap<float>* taps, std::int64_t tapCount,
                std::int64_t channels);
void gatherTaps(double* out, const double* map, const Tap<double>* taps, std::int64_t tapCount, std::int64_t channels);

/// map[offset + c] += weight × in[c], for every tap.
void spreadTaps(float* map, const float* in, const Tap<float>* taps, std::int64_t tapCount, std::int64_t channels);
void spreadTaps(double* map, const double* in, const Tap<double>* taps, std::int64_t tapCount, std::int64_t channels);

/// Where cell[c] is more than best[c], it becomes the best and `place` its owner.
void keepLarger(float* best, std::int32_t* owner, const float* cell, std::int32_t place, std::int64_t channels);
void keepLarger(float* best, std::int32_t* owner, const c10::BFloat16* cell, std::int32_t place, std::int64_t channels);
void keepLarger(double* best, std::int32_t* owner, const double* cell, std::int32_t place, std::int64_t channels);

} // namespace trainyard::roi
