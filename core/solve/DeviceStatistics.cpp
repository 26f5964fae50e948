#include "core/solve/DeviceStatistics.h"

#include "core/solve/ParameterStatistics.cuh"

#include <ATen/ATen.h>
#include <ATen/cuda/CUDAContext.h>
#include <c10/cuda/CUDAGuard.h>

#include <stdexcept>
#include <string>

namespace trainyard {
namespace {

/// The values' bytes as a tensor.
template <class Value>
at::Tensor bytesOf(std::vector<Value>& values) {
    return at::from_blob(values.data(), {std::int64_t(values.size() * sizeof(Value))}, at::kByte);
}

} // namespace

std::vector<ChunkStatistics> statisticsOnDevice(const std::vector<at::Tensor>& tensors,
                                                const std::vector<MemoryChunk>& chunks) {
    std::vector<ChunkStatistics> results(chunks.size());
    if (chunks.empty())
        return results;
    const at::Device device = tensors[chunks.front().tensor].device();
    const c10::cuda::CUDAGuard guard(device);
    std::vector<DeviceSpan> spans;
    for (const MemoryChunk& chunk : chunks)
        spans.push_back({tensors[chunk.tensor].data_ptr<float>() + chunk.begin, chunk.end - chunk.begin});
    const auto deviceSpans = bytesOf(spans).to(device);
    auto own = bytesOf(results);
    const auto deviceResults = at::empty(own.sizes(), own.options().device(device));
    const cudaError_t status = launchStatistics(reinterpret_cast<const DeviceSpan*>(deviceSpans.data_ptr()),
                                                reinterpret_cast<ChunkStatistics*>(deviceResults.data_ptr()),
                                                int(chunks.size()), at::cuda::getCurrentCUDAStream());
    if (status != cudaSuccess)
        throw std::runtime_error("The statistics kernel does not start: " + std::string(cudaGetErrorString(status)) +
                                 ".");
    own.copy_(deviceResults);
    return results;
}

} // namespace trainyard
