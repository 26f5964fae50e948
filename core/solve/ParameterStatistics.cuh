#pragma once

#include "core/solve/StatisticsKernel.h"

#include <cuda_runtime_api.h>

namespace trainyard {

/// A stretch of device memory, at most 256 K elements.
struct DeviceSpan {
    const float* values;
    std::int64_t count;
};

/// Statistics of each span, a thread block each: the GPU's twin of statisticsOfChunk. Both arrays lie in device memory
/// and hold `count` elements. Returns at once; the work is in `stream`. Same values every time.
cudaError_t launchStatistics(const DeviceSpan* spans, ChunkStatistics* results, int count, cudaStream_t stream);

} // namespace trainyard
