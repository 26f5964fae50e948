#include "core/nn/RoiVectors.h"

#include "core/nn/VectorClones.h"

#include <bit>

namespace trainyard::roi {
namespace {

inline float read(float value) {
    return value;
}
inline double read(double value) {
    return value;
}
/// Bits only: the conversion of the library hides behind branches that no compiler makes vector code of.
inline float read(c10::BFloat16 value) {
    return std::bit_cast<float>(std::uint32_t(value.x) << 16);
}

/// Sums blocks of `block` channels from `c` on, as many as there are whole ones; answers where it stopped. Reading and
/// summing are loops of their own: of both in one, the compiler makes code two to six times slower.
template <std::int64_t block, class Real, class Stored>
[[gnu::always_inline]] inline std::int64_t gatherBlocks(Real* __restrict out, const Stored* __restrict map,
                                                        const Tap<Real>* taps, std::int64_t tapCount,
                                                        std::int64_t channels, std::int64_t c) {
    for (; c + block <= channels; c += block) {
        Real sum[block] = {}, row[block];
        for (std::int64_t t = 0; t < tapCount; ++t) {
            const Stored* cell = map + taps[t].offset + c;
            const Real weight = taps[t].weight;
            for (std::int64_t i = 0; i < block; ++i)
                row[i] = read(cell[i]);
            for (std::int64_t i = 0; i < block; ++i)
                sum[i] += weight * row[i];
        }
        for (std::int64_t i = 0; i < block; ++i)
            out[c + i] = sum[i];
    }
    return c;
}

template <class Real, class Stored>
[[gnu::always_inline]] inline void gather(Real* __restrict out, const Stored* __restrict map, const Tap<Real>* taps,
                                          std::int64_t tapCount, std::int64_t channels) {
    std::int64_t c = gatherBlocks<64>(out, map, taps, tapCount, channels, 0);
    c = gatherBlocks<16>(out, map, taps, tapCount, channels, c);
    gatherBlocks<1>(out, map, taps, tapCount, channels, c);
}

template <class Real>
[[gnu::always_inline]] inline void spread(Real* __restrict map, const Real* __restrict in, const Tap<Real>* taps,
                                          std::int64_t tapCount, std::int64_t channels) {
    for (std::int64_t t = 0; t < tapCount; ++t) {
        Real* __restrict cell = map + taps[t].offset;
        const Real weight = taps[t].weight;
        for (std::int64_t c = 0; c < channels; ++c)
            cell[c] += weight * in[c];
    }
}

template <class Real, class Stored>
[[gnu::always_inline]] inline void larger(Real* __restrict best, std::int32_t* __restrict owner,
                                          const Stored* __restrict cell, std::int32_t place, std::int64_t channels) {
    for (std::int64_t c = 0; c < channels; ++c) {
        const Real value = read(cell[c]);
        const bool isLarger = value > best[c];
        best[c] = isLarger ? value : best[c];
        owner[c] = isLarger ? place : owner[c];
    }
}

} // namespace

TRAINYARD_VECTOR_CLONES
void gatherTaps(float* out, const float* map, const Tap<float>* taps, std::int64_t tapCount, std::int64_t channels) {
    gather(out, map, taps, tapCount, channels);
}
TRAINYARD_VECTOR_CLONES
void gatherTaps(float* out, const c10::BFloat16* map, const Tap<float>* taps, std::int64_t tapCount,
                std::int64_t channels) {
    gather(out, map, taps, tapCount, channels);
}
TRAINYARD_VECTOR_CLONES
void gatherTaps(double* out, const double* map, const Tap<double>* taps, std::int64_t tapCount, std::int64_t channels) {
    gather(out, map, taps, tapCount, channels);
}
TRAINYARD_VECTOR_CLONES
void spreadTaps(float* map, const float* in, const Tap<float>* taps, std::int64_t tapCount, std::int64_t channels) {
    spread(map, in, taps, tapCount, channels);
}
TRAINYARD_VECTOR_CLONES
void spreadTaps(double* map, const double* in, const Tap<double>* taps, std::int64_t tapCount, std::int64_t channels) {
    spread(map, in, taps, tapCount, channels);
}
TRAINYARD_VECTOR_CLONES
void keepLarger(float* best, std::int32_t* owner, const float* cell, std::int32_t place, std::int64_t channels) {
    larger(best, owner, cell, place, channels);
}
TRAINYARD_VECTOR_CLONES
void keepLarger(float* best, std::int32_t* owner, const c10::BFloat16* cell, std::int32_t place,
                std::int64_t channels) {
    larger(best, owner, cell, place, channels);
}
TRAINYARD_VECTOR_CLONES
void keepLarger(double* best, std::int32_t* owner, const double* cell, std::int32_t place, std::int64_t channels) {
    larger(best, owner, cell, place, channels);
}

} // namespace trainyard::roi
