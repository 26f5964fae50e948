#pragma once

#include <cstdint>

// Read by nvcc too: plain values, no LibTorch.

namespace trainyard {

constexpr int kStatisticsBins = 64;

/// What one stretch of memory holds. `mean` and `squares` are of the finite values; merging two keeps their precision.
struct ChunkStatistics {
    double mean = 0;
    double squares = 0;             ///< sum of squared distances from the mean
    float minimum = 0, maximum = 0; ///< of the finite values; 0 where there are none
    std::int64_t finite = 0, nonFinite = 0, zeros = 0;
    std::uint32_t histogram[kStatisticsBins] = {}; ///< of the finite values, by binary exponent
};

/// One pass over memory: every block of a few kilobytes is read twice, the second time from the first-level cache.
ChunkStatistics statisticsOfChunk(const float* values, std::int64_t count);

/// Adds what `next` saw to `total`. Source: Chan, Golub and LeVeque 1979, "Updating formulae for computing variances".
void merge(ChunkStatistics& total, const ChunkStatistics& next);

} // namespace trainyard
