#include "core/solve/ParameterStatistics.cuh"

namespace trainyard {
namespace {

constexpr int kThreads = 256;
constexpr int kHistograms = kThreads / 32; ///< one a warp

/// What one thread, later half a block, has seen: sums of distances from a pivot near the values.
struct Partial {
    double sum, squares;
    float minimum, maximum;
    unsigned finite, nonFinite, zeros;
};

__device__ void add(Partial& to, const Partial& from) {
    to.sum += from.sum;
    to.squares += from.squares;
    to.minimum = fminf(to.minimum, from.minimum);
    to.maximum = fmaxf(to.maximum, from.maximum);
    to.finite += from.finite;
    to.nonFinite += from.nonFinite;
    to.zeros += from.zeros;
}

__device__ void read(Partial& partial, float value, double pivot, unsigned* histogram) {
    const int magnitude = __float_as_int(value) & 0x7fffffff;
    const int exponent = magnitude >> 23;
    if (exponent == 255) {
        ++partial.nonFinite;
        return;
    }
    const double distance = double(value) - pivot;
    partial.sum += distance;
    partial.squares += distance * distance;
    partial.minimum = fminf(partial.minimum, value);
    partial.maximum = fmaxf(partial.maximum, value);
    ++partial.finite;
    partial.zeros += magnitude == 0 ? 1 : 0;
    atomicAdd(&histogram[min(max(exponent - 87, 0), kStatisticsBins - 1)], 1u); // whole numbers: order is nothing
}

__device__ ChunkStatistics finished(const Partial& partial, double pivot) {
    ChunkStatistics result;
    result.finite = partial.finite;
    result.nonFinite = partial.nonFinite;
    result.zeros = partial.zeros;
    if (partial.finite == 0)
        return result;
    const double offset = partial.sum / partial.finite;
    result.mean = pivot + offset;
    result.squares = fmax(0.0, partial.squares - partial.sum * offset);
    result.minimum = partial.minimum;
    result.maximum = partial.maximum;
    return result;
}

/// One block reads one span; threads combine as a tree of fixed shape.
__global__ void statisticsOfSpans(const DeviceSpan* spans, ChunkStatistics* results) {
    __shared__ unsigned histograms[kHistograms][kStatisticsBins];
    __shared__ Partial partials[kThreads];
    const DeviceSpan span = spans[blockIdx.x];
    const int thread = int(threadIdx.x);
    for (int i = thread; i < kHistograms * kStatisticsBins; i += kThreads)
        histograms[i / kStatisticsBins][i % kStatisticsBins] = 0;
    const double pivot = span.count > 0 && isfinite(span.values[0]) ? double(span.values[0]) : 0.0;
    __syncthreads();

    Partial own{0, 0, INFINITY, -INFINITY, 0, 0, 0};
    for (std::int64_t i = thread; i < span.count; i += kThreads)
        read(own, span.values[i], pivot, histograms[thread / 32]);
    partials[thread] = own;
    for (int half = kThreads / 2; half > 0; half /= 2) {
        __syncthreads();
        if (thread < half)
            add(partials[thread], partials[thread + half]);
    }
    __syncthreads();

    ChunkStatistics& result = results[blockIdx.x];
    if (thread == 0)
        result = finished(partials[0], pivot);
    __syncthreads();
    if (thread < kStatisticsBins) {
        unsigned sum = 0;
        for (int i = 0; i < kHistograms; ++i)
            sum += histograms[i][thread];
        result.histogram[thread] = sum;
    }
}

} // namespace

cudaError_t launchStatistics(const DeviceSpan* spans, ChunkStatistics* results, int count, cudaStream_t stream) {
    if (count == 0)
        return cudaSuccess;
    statisticsOfSpans<<<count, kThreads, 0, stream>>>(spans, results);
    return cudaGetLastError();
}

} // namespace trainyard
