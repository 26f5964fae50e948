#pragma once

#include <cstdint>
#include <cuda_runtime_api.h>

/// Launchers of the kernels on regions of interest, for float and double. Every pointer is device memory; `rois` are
/// rows of image, x1, y1, x2, y2. Maps and outputs of RoIAlign and RoIPool are channels-last, those of
/// position-sensitive pooling are planes. All return at once; the work is in `stream`. Gradients are added to what is
/// in `mapGradient`.
namespace trainyard::roi {

struct DeviceMap {
    int images, channels, height, width;
};

/// Which bins of which regions; `samples` and the flags are read by the operators that have them.
struct DeviceBins {
    std::int64_t regions;
    int height, width;
    double scale;
    int samples = 0;
    bool isAligned = false;
    bool isDetectron = false;
};

template <class Real>
cudaError_t launchAlign(const Real* map, const Real* rois, Real* out, DeviceMap size, DeviceBins bins,
                        cudaStream_t stream);
template <class Real>
cudaError_t launchAlignGradient(const Real* gradient, const Real* rois, Real* mapGradient, DeviceMap size,
                                DeviceBins bins, cudaStream_t stream);
template <class Real>
cudaError_t launchPool(const Real* map, const Real* rois, Real* out, std::int32_t* owners, DeviceMap size,
                       DeviceBins bins, cudaStream_t stream);
template <class Real>
cudaError_t launchPoolGradient(const Real* gradient, const std::int32_t* owners, const Real* rois, Real* mapGradient,
                               DeviceMap size, DeviceBins bins, cudaStream_t stream);
template <class Real>
cudaError_t launchPositionSensitive(const Real* map, const Real* rois, Real* out, DeviceMap size, DeviceBins bins,
                                    cudaStream_t stream);
template <class Real>
cudaError_t launchPositionSensitiveGradient(const Real* gradient, const Real* rois, Real* mapGradient, DeviceMap size,
                                            DeviceBins bins, cudaStream_t stream);

} // namespace trainyard::roi
