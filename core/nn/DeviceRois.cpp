#include "core/nn/DeviceRois.h"

#include "core/nn/RoiKernels.cuh"
#include "core/nn/RoiMaps.h"

#include <ATen/ATen.h>
#include <ATen/cuda/CUDAContext.h>
#include <c10/cuda/CUDAGuard.h>

namespace trainyard {
namespace {

using roi::DeviceBins;
using roi::DeviceMap;

DeviceMap mapOf(at::IntArrayRef sizes) {
    return {int(sizes[0]), int(sizes[1]), int(sizes[2]), int(sizes[3])};
}
DeviceBins binsOf(const at::Tensor& rois, const RoiAlignShape& shape) {
    return {rois.size(0), int(shape.height), int(shape.width), shape.scale, int(shape.samples), shape.isAligned};
}
DeviceBins binsOf(const at::Tensor& rois, const RoiPoolShape& shape) {
    return {rois.size(0), int(shape.height), int(shape.width), shape.scale};
}
DeviceBins binsOf(const at::Tensor& rois, const PositionSensitiveShape& shape) {
    return {rois.size(0), int(shape.bins), int(shape.bins), shape.scale, 0, false, shape.isDetectron};
}

/// `tensor` as a kernel reads it.
at::Tensor plain(const at::Tensor& tensor, const at::Tensor& rois, at::MemoryFormat format) {
    return tensor.to(rois.scalar_type()).contiguous(format);
}
at::Tensor zeros(at::IntArrayRef sizes, const at::Tensor& rois, at::MemoryFormat format) {
    return at::empty(sizes, rois.options(), format).zero_();
}
at::Tensor empty(at::IntArrayRef sizes, const at::TensorOptions& options) {
    return at::empty(sizes, options, at::MemoryFormat::ChannelsLast);
}

/// Calls `launch(Real, stream)` on the GPU of `rois`; throws when the kernel does not start.
template <class Launch>
void onDevice(const at::Tensor& rois, const Launch& launch) {
    const c10::cuda::CUDAGuard guard(rois.device());
    roi::withTypes(rois.scalar_type(), [&](auto, auto real) {
        const cudaError_t status = launch(real, at::cuda::getCurrentCUDAStream());
        TORCH_CHECK(status == cudaSuccess,
                    "A kernel on regions of interest does not start: ", cudaGetErrorString(status), ".");
    });
}

} // namespace

at::Tensor roiAlignOnDevice(const at::Tensor& features, const at::Tensor& rois, const RoiAlignShape& shape) {
    const at::Tensor map = plain(features, rois, at::MemoryFormat::ChannelsLast);
    const at::Tensor out = empty({rois.size(0), features.size(1), shape.height, shape.width}, rois.options());
    onDevice(rois, [&](auto real, cudaStream_t stream) {
        using Real = decltype(real);
        return roi::launchAlign(map.data_ptr<Real>(), rois.data_ptr<Real>(), out.data_ptr<Real>(),
                                mapOf(features.sizes()), binsOf(rois, shape), stream);
    });
    return out.to(features.scalar_type());
}

at::Tensor roiAlignGradientOnDevice(const at::Tensor& gradient, const at::Tensor& rois, at::IntArrayRef sizes,
                                    const RoiAlignShape& shape) {
    const at::Tensor in = plain(gradient, rois, at::MemoryFormat::ChannelsLast);
    const at::Tensor out = zeros(sizes, rois, at::MemoryFormat::ChannelsLast);
    onDevice(rois, [&](auto real, cudaStream_t stream) {
        using Real = decltype(real);
        return roi::launchAlignGradient(in.data_ptr<Real>(), rois.data_ptr<Real>(), out.data_ptr<Real>(), mapOf(sizes),
                                        binsOf(rois, shape), stream);
    });
    return out;
}

std::pair<at::Tensor, at::Tensor> roiPoolOnDevice(const at::Tensor& features, const at::Tensor& rois,
                                                  const RoiPoolShape& shape) {
    const at::Tensor map = plain(features, rois, at::MemoryFormat::ChannelsLast);
    const std::vector<std::int64_t> sizes = {rois.size(0), features.size(1), shape.height, shape.width};
    const at::Tensor values = empty(sizes, rois.options()), owners = empty(sizes, rois.options().dtype(at::kInt));
    onDevice(rois, [&](auto real, cudaStream_t stream) {
        using Real = decltype(real);
        return roi::launchPool(map.data_ptr<Real>(), rois.data_ptr<Real>(), values.data_ptr<Real>(),
                               owners.data_ptr<std::int32_t>(), mapOf(features.sizes()), binsOf(rois, shape), stream);
    });
    return {values.to(features.scalar_type()), owners};
}

at::Tensor roiPoolGradientOnDevice(const at::Tensor& gradient, const at::Tensor& owners, const at::Tensor& rois,
                                   at::IntArrayRef sizes) {
    const at::Tensor in = plain(gradient, rois, at::MemoryFormat::ChannelsLast);
    const at::Tensor out = zeros(sizes, rois, at::MemoryFormat::ChannelsLast);
    const RoiPoolShape shape{gradient.size(2), gradient.size(3), 1};
    onDevice(rois, [&](auto real, cudaStream_t stream) {
        using Real = decltype(real);
        return roi::launchPoolGradient(in.data_ptr<Real>(), owners.data_ptr<std::int32_t>(), rois.data_ptr<Real>(),
                                       out.data_ptr<Real>(), mapOf(sizes), binsOf(rois, shape), stream);
    });
    return out;
}

at::Tensor positionSensitiveRoiPoolOnDevice(const at::Tensor& features, const at::Tensor& rois,
                                            const PositionSensitiveShape& shape) {
    const at::Tensor map = plain(features, rois, at::MemoryFormat::Contiguous);
    const at::Tensor out =
        at::empty({rois.size(0), features.size(1) / (shape.bins * shape.bins), shape.bins, shape.bins}, rois.options());
    onDevice(rois, [&](auto real, cudaStream_t stream) {
        using Real = decltype(real);
        return roi::launchPositionSensitive(map.data_ptr<Real>(), rois.data_ptr<Real>(), out.data_ptr<Real>(),
                                            mapOf(features.sizes()), binsOf(rois, shape), stream);
    });
    return out.to(features.scalar_type());
}

at::Tensor positionSensitiveGradientOnDevice(const at::Tensor& gradient, const at::Tensor& rois, at::IntArrayRef sizes,
                                             const PositionSensitiveShape& shape) {
    const at::Tensor in = plain(gradient, rois, at::MemoryFormat::Contiguous);
    const at::Tensor out = zeros(sizes, rois, at::MemoryFormat::Contiguous);
    onDevice(rois, [&](auto real, cudaStream_t stream) {
        using Real = decltype(real);
        return roi::launchPositionSensitiveGradient(in.data_ptr<Real>(), rois.data_ptr<Real>(), out.data_ptr<Real>(),
                                                    mapOf(sizes), binsOf(rois, shape), stream);
    });
    return out;
}

} // namespace trainyard
