#include "core/nn/RoiGeometry.h"
#include "core/nn/RoiKernels.cuh"

namespace trainyard::roi {
namespace {

constexpr int kThreads = 256;
constexpr std::int64_t kMostBlocks = 65535;

/// Which value of a channels-last output a number stands for.
struct Place {
    std::int64_t region;
    int row, column, channel;

    __device__ Place(std::int64_t number, const DeviceBins& bins, int channels) {
        channel = int(number % channels);
        const std::int64_t bin = number / channels;
        column = int(bin % bins.width);
        row = int(bin / bins.width % bins.height);
        region = bin / bins.width / bins.height;
    }
};

/// The image that a region names; -1 where there is none.
template <class Real>
__device__ int imageOf(const Real* region, const DeviceMap& size) {
    return region[0] >= Real(0) && region[0] < Real(size.images) ? int(region[0]) : -1;
}

template <class Real>
struct AlignAxes {
    AlignAxis<Real> rows, columns;

    __device__ AlignAxes(const Real* region, const DeviceBins& bins)
        : rows(region[2], region[4], Real(bins.scale), bins.isAligned, bins.height, bins.samples),
          columns(region[1], region[3], Real(bins.scale), bins.isAligned, bins.width, bins.samples) {}
};

/// Calls `work(offset, share)` for each cell that the samples of one bin read; the shares sum to one inside the map.
template <class Real, class Work>
__device__ void forEachTap(const Real* region, const Place& place, const DeviceMap& size, const DeviceBins& bins,
                           const Work& work) {
    const int image = imageOf(region, size);
    const AlignAxes<Real> axes(region, bins);
    const Real count = Real(axes.rows.samples) * Real(axes.columns.samples);
    if (image < 0)
        return;
    for (int i = 0; i < axes.rows.samples; ++i) {
        const Neighbours<Real> y(axes.rows.place(place.row, i), size.height);
        const std::int64_t low = (std::int64_t(image) * size.height + y.low) * size.width;
        const std::int64_t high = (std::int64_t(image) * size.height + y.high) * size.width;
        for (int j = 0; j < axes.columns.samples; ++j) {
            const Neighbours<Real> x(axes.columns.place(place.column, j), size.width);
            work((low + x.low) * size.channels + place.channel, y.lowShare * x.lowShare / count);
            work((low + x.high) * size.channels + place.channel, y.lowShare * x.highShare / count);
            work((high + x.low) * size.channels + place.channel, y.highShare * x.lowShare / count);
            work((high + x.high) * size.channels + place.channel, y.highShare * x.highShare / count);
        }
    }
}

template <class Real>
__global__ void align(const Real* map, const Real* rois, Real* out, DeviceMap size, DeviceBins bins,
                      std::int64_t count) {
    for (std::int64_t i = blockIdx.x * std::int64_t(kThreads) + threadIdx.x; i < count;
         i += std::int64_t(gridDim.x) * kThreads) {
        const Place place(i, bins, size.channels);
        Real sum = 0;
        forEachTap(rois + 5 * place.region, place, size, bins,
                   [&](std::int64_t offset, Real share) { sum += share * map[offset]; });
        out[i] = sum;
    }
}

template <class Real>
__global__ void alignGradient(const Real* gradient, const Real* rois, Real* mapGradient, DeviceMap size,
                              DeviceBins bins, std::int64_t count) {
    for (std::int64_t i = blockIdx.x * std::int64_t(kThreads) + threadIdx.x; i < count;
         i += std::int64_t(gridDim.x) * kThreads) {
        const Place place(i, bins, size.channels);
        const Real value = gradient[i];
        forEachTap(rois + 5 * place.region, place, size, bins, [&](std::int64_t offset, Real share) {
            if (share != Real(0))
                atomicAdd(mapGradient + offset, share * value);
        });
    }
}

template <class Real>
__global__ void pool(const Real* map, const Real* rois, Real* out, std::int32_t* owners, DeviceMap size,
                     DeviceBins bins, std::int64_t count) {
    using Axis = PoolAxis<Real>;
    for (std::int64_t i = blockIdx.x * std::int64_t(kThreads) + threadIdx.x; i < count;
         i += std::int64_t(gridDim.x) * kThreads) {
        const Place place(i, bins, size.channels);
        const Real* region = rois + 5 * place.region;
        const Real scale = Real(bins.scale);
        const Axis rows = Axis::roundedCorners(region[2], region[4], scale, bins.height, size.height);
        const Axis columns = Axis::roundedCorners(region[1], region[3], scale, bins.width, size.width);
        const int image = imageOf(region, size), top = rows.begin(place.row), left = columns.begin(place.column);
        const int bottom = image < 0 ? top : rows.end(place.row), right = columns.end(place.column);
        const bool isEmpty = bottom <= top || right <= left;
        const Real* cells = map + std::int64_t(image < 0 ? 0 : image) * size.height * size.width * size.channels;
        Real best = isEmpty ? Real(0) : -Real(INFINITY);
        std::int32_t owner = isEmpty ? -1 : top * size.width + left;
        for (int y = top; y < bottom; ++y)
            for (int x = left; x < right; ++x) {
                const std::int32_t cell = y * size.width + x;
                const Real value = cells[std::int64_t(cell) * size.channels + place.channel];
                if (value > best) {
                    best = value;
                    owner = cell;
                }
            }
        out[i] = best;
        owners[i] = owner;
    }
}

template <class Real>
__global__ void poolGradient(const Real* gradient, const std::int32_t* owners, const Real* rois, Real* mapGradient,
                             DeviceMap size, DeviceBins bins, std::int64_t count) {
    for (std::int64_t i = blockIdx.x * std::int64_t(kThreads) + threadIdx.x; i < count;
         i += std::int64_t(gridDim.x) * kThreads) {
        const Place place(i, bins, size.channels);
        const int image = imageOf(rois + 5 * place.region, size);
        if (owners[i] >= 0 && image >= 0)
            atomicAdd(mapGradient + (std::int64_t(image) * size.height * size.width + owners[i]) * size.channels +
                          place.channel,
                      gradient[i]);
    }
}

/// The cells of one bin in one plane.
template <class Real>
struct Patch {
    int top, bottom, left, right;
    std::int64_t plane; ///< its first cell

    /// `number` counts the values of [R, C / k², k, k], so that it also counts channels: a bin has its own.
    __device__ Patch(std::int64_t number, const Real* rois, const DeviceMap& size, const DeviceBins& bins) {
        using Axis = PoolAxis<Real>;
        const int channel = int(number % size.channels);
        const int row = channel / bins.width % bins.height, column = channel % bins.width;
        const Real* region = rois + 5 * (number / size.channels);
        const Real scale = Real(bins.scale);
        const auto axisOf = [&](Real low, Real high, int length) {
            return bins.isDetectron ? Axis::scaledAfterRounding(low, high, scale, bins.width, length)
                                    : Axis::halfOpen(low, high, scale, bins.width, length);
        };
        const Axis rows = axisOf(region[2], region[4], size.height), columns = axisOf(region[1], region[3], size.width);
        const int image = imageOf(region, size);
        top = rows.begin(row);
        bottom = image < 0 ? top : rows.end(row);
        left = columns.begin(column);
        right = columns.end(column);
        plane = (std::int64_t(image < 0 ? 0 : image) * size.channels + channel) * size.height * size.width;
    }
    __device__ Real cells() const {
        return bottom > top && right > left ? Real(bottom - top) * Real(right - left) : Real(0);
    }
};

template <class Real>
__global__ void positionSensitive(const Real* map, const Real* rois, Real* out, DeviceMap size, DeviceBins bins,
                                  std::int64_t count) {
    for (std::int64_t i = blockIdx.x * std::int64_t(kThreads) + threadIdx.x; i < count;
         i += std::int64_t(gridDim.x) * kThreads) {
        const Patch<Real> patch(i, rois, size, bins);
        Real sum = 0;
        for (int y = patch.top; y < patch.bottom; ++y)
            for (int x = patch.left; x < patch.right; ++x)
                sum += map[patch.plane + std::int64_t(y) * size.width + x];
        out[i] = patch.cells() > Real(0) ? sum / patch.cells() : Real(0);
    }
}

template <class Real>
__global__ void positionSensitiveGradient(const Real* gradient, const Real* rois, Real* mapGradient, DeviceMap size,
                                          DeviceBins bins, std::int64_t count) {
    for (std::int64_t i = blockIdx.x * std::int64_t(kThreads) + threadIdx.x; i < count;
         i += std::int64_t(gridDim.x) * kThreads) {
        const Patch<Real> patch(i, rois, size, bins);
        if (patch.cells() <= Real(0))
            continue;
        const Real share = gradient[i] / patch.cells();
        for (int y = patch.top; y < patch.bottom; ++y)
            for (int x = patch.left; x < patch.right; ++x)
                atomicAdd(mapGradient + patch.plane + std::int64_t(y) * size.width + x, share);
    }
}

/// Starts `kernel` with a thread a value, as far as a grid goes.
template <class Kernel, class... Arguments>
cudaError_t start(Kernel kernel, std::int64_t count, cudaStream_t stream, Arguments... arguments) {
    if (count == 0)
        return cudaSuccess;
    const std::int64_t blocks = (count + kThreads - 1) / kThreads;
    kernel<<<unsigned(blocks < kMostBlocks ? blocks : kMostBlocks), kThreads, 0, stream>>>(arguments..., count);
    return cudaGetLastError();
}

std::int64_t valuesOf(const DeviceMap& size, const DeviceBins& bins) {
    return bins.regions * bins.height * bins.width * size.channels;
}

} // namespace

template <class Real>
cudaError_t launchAlign(const Real* map, const Real* rois, Real* out, DeviceMap size, DeviceBins bins,
                        cudaStream_t stream) {
    return start(align<Real>, valuesOf(size, bins), stream, map, rois, out, size, bins);
}

template <class Real>
cudaError_t launchAlignGradient(const Real* gradient, const Real* rois, Real* mapGradient, DeviceMap size,
                                DeviceBins bins, cudaStream_t stream) {
    return start(alignGradient<Real>, valuesOf(size, bins), stream, gradient, rois, mapGradient, size, bins);
}

template <class Real>
cudaError_t launchPool(const Real* map, const Real* rois, Real* out, std::int32_t* owners, DeviceMap size,
                       DeviceBins bins, cudaStream_t stream) {
    return start(pool<Real>, valuesOf(size, bins), stream, map, rois, out, owners, size, bins);
}

template <class Real>
cudaError_t launchPoolGradient(const Real* gradient, const std::int32_t* owners, const Real* rois, Real* mapGradient,
                               DeviceMap size, DeviceBins bins, cudaStream_t stream) {
    return start(poolGradient<Real>, valuesOf(size, bins), stream, gradient, owners, rois, mapGradient, size, bins);
}

template <class Real>
cudaError_t launchPositionSensitive(const Real* map, const Real* rois, Real* out, DeviceMap size, DeviceBins bins,
                                    cudaStream_t stream) {
    return start(positionSensitive<Real>, bins.regions * size.channels, stream, map, rois, out, size, bins);
}

template <class Real>
cudaError_t launchPositionSensitiveGradient(const Real* gradient, const Real* rois, Real* mapGradient, DeviceMap size,
                                            DeviceBins bins, cudaStream_t stream) {
    return start(positionSensitiveGradient<Real>, bins.regions * size.channels, stream, gradient, rois, mapGradient,
                 size, bins);
}

#define TRAINYARD_LAUNCHERS(Real)                                                                                      \
    template cudaError_t launchAlign(const Real*, const Real*, Real*, DeviceMap, DeviceBins, cudaStream_t);            \
    template cudaError_t launchAlignGradient(const Real*, const Real*, Real*, DeviceMap, DeviceBins, cudaStream_t);    \
    template cudaError_t launchPool(const Real*, const Real*, Real*, std::int32_t*, DeviceMap, DeviceBins,             \
                                    cudaStream_t);                                                                     \
    template cudaError_t launchPoolGradient(const Real*, const std::int32_t*, const Real*, Real*, DeviceMap,           \
                                            DeviceBins, cudaStream_t);                                                 \
    template cudaError_t launchPositionSensitive(const Real*, const Real*, Real*, DeviceMap, DeviceBins,               \
                                                 cudaStream_t);                                                        \
    template cudaError_t launchPositionSensitiveGradient(const Real*, const Real*, Real*, DeviceMap, DeviceBins,       \
                                                         cudaStream_t);
TRAINYARD_LAUNCHERS(float)
TRAINYARD_LAUNCHERS(double)

} // namespace trainyard::roi
