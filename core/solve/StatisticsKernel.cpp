#include "core/solve/StatisticsKernel.h"

#include "core/nn/VectorClones.h"

#include <algorithm>
#include <bit>
#include <limits>

namespace trainyard {
namespace {

constexpr std::int64_t kBlock = 2048; ///< elements: with their bins 10 KB of a 32 KB cache
constexpr int kLanes = 8;             ///< sub-histograms, so that equal neighbours do not wait for each other
constexpr int kRow = 80;              ///< bins of a sub-histogram; number 64 collects what is not finite

struct BlockSums {
    double sum = 0, squares = 0;
    float minimum = 0, maximum = 0;
    std::int32_t nonFinite = 0, zeros = 0;
};

/// Sums, extremes and counts of a block; `bins` receives the bin of every element.
TRAINYARD_VECTOR_CLONES
BlockSums readBlock(const float* __restrict values, std::uint8_t* __restrict bins, int count) {
    constexpr float kInfinity = std::numeric_limits<float>::infinity();
    double sum = 0;
    float minimum = kInfinity, maximum = -kInfinity;
    std::int32_t nonFinite = 0, zeros = 0;
#pragma omp simd reduction(+ : sum, nonFinite, zeros) reduction(min : minimum) reduction(max : maximum)
    for (int i = 0; i < count; ++i) {
        const float value = values[i];
        const std::int32_t magnitude = std::bit_cast<std::int32_t>(value) & 0x7fffffff;
        const std::int32_t exponent = magnitude >> 23;
        const bool isFinite = exponent < 255;
        const std::int32_t raised = exponent - 87;
        const std::int32_t low = raised < 0 ? 0 : raised;
        const std::int32_t bin = low > 63 ? 63 : low;
        bins[i] = std::uint8_t(isFinite ? bin : 64);
        const float lower = isFinite ? value : kInfinity;
        const float upper = isFinite ? value : -kInfinity;
        minimum = lower < minimum ? lower : minimum;
        maximum = upper > maximum ? upper : maximum;
        sum += double(isFinite ? value : 0.0f);
        nonFinite += isFinite ? 0 : 1;
        zeros += magnitude == 0 ? 1 : 0;
    }
    return {sum, 0, minimum, maximum, nonFinite, zeros};
}

TRAINYARD_VECTOR_CLONES
double squaredDistances(const float* values, int count, double mean) {
    double squares = 0;
#pragma omp simd reduction(+ : squares)
    for (int i = 0; i < count; ++i) {
        const bool isFinite = (std::bit_cast<std::int32_t>(values[i]) & 0x7fffffff) < 0x7f800000;
        const double distance = isFinite ? double(values[i]) - mean : 0.0;
        squares += distance * distance;
    }
    return squares;
}

void countBins(const std::uint8_t* bins, int count, std::uint32_t (&histograms)[kLanes][kRow]) {
    int i = 0;
    for (; i + kLanes <= count; i += kLanes)
        for (int lane = 0; lane < kLanes; ++lane)
            ++histograms[lane][bins[i + lane]];
    for (; i < count; ++i)
        ++histograms[0][bins[i]];
}

} // namespace

ChunkStatistics statisticsOfChunk(const float* values, std::int64_t count) {
    std::uint8_t bins[kBlock];
    std::uint32_t histograms[kLanes][kRow] = {};
    ChunkStatistics total;
    for (std::int64_t begin = 0; begin < count; begin += kBlock) {
        const int length = int(std::min(kBlock, count - begin));
        const BlockSums sums = readBlock(values + begin, bins, length);
        countBins(bins, length, histograms);
        ChunkStatistics block;
        block.finite = length - sums.nonFinite;
        block.nonFinite = sums.nonFinite;
        block.zeros = sums.zeros;
        if (block.finite > 0) {
            block.mean = sums.sum / double(block.finite);
            block.squares = squaredDistances(values + begin, length, block.mean);
            block.minimum = sums.minimum;
            block.maximum = sums.maximum;
        }
        merge(total, block);
    }
    for (int bin = 0; bin < kStatisticsBins; ++bin)
        for (const auto& histogram : histograms)
            total.histogram[bin] += histogram[bin];
    return total;
}

void merge(ChunkStatistics& total, const ChunkStatistics& next) {
    total.nonFinite += next.nonFinite;
    total.zeros += next.zeros;
    if (next.finite == 0)
        return;
    const bool isFirst = total.finite == 0;
    total.minimum = isFirst ? next.minimum : std::min(total.minimum, next.minimum);
    total.maximum = isFirst ? next.maximum : std::max(total.maximum, next.maximum);
    const double together = double(total.finite + next.finite);
    const double distance = next.mean - total.mean;
    const double share = double(next.finite) / together;
    total.squares += next.squares + distance * distance * double(total.finite) * share;
    total.mean += distance * share;
    total.finite += next.finite;
    for (int bin = 0; bin < kStatisticsBins; ++bin)
        total.histogram[bin] += next.histogram[bin];
}

} // namespace trainyard
