#pragma once

#include "core/solve/MemoryChunks.h"
#include "core/solve/StatisticsKernel.h"

#include <vector>

namespace trainyard {

/// Statistics of chunks of float32 tensors on one GPU, in the order of `chunks`: the kernel of ParameterStatistics.cu
/// on that GPU's current stream. Waits for it.
std::vector<ChunkStatistics> statisticsOnDevice(const std::vector<at::Tensor>& tensors,
                                                const std::vector<MemoryChunk>& chunks);

} // namespace trainyard
