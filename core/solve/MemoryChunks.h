#pragma once

#include <ATen/Parallel.h>
#include <ATen/core/Tensor.h>

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <vector>

namespace trainyard {

/// A stretch of one tensor's memory.
struct MemoryChunk {
    std::size_t tensor = 0; ///< which of the list
    std::int64_t begin = 0, end = 0;
};

/// Cuts memories of these sizes into chunks of at most 256 K elements: small enough that threads end together, however
/// uneven the tensors are, and the same cuts for any number of threads.
std::vector<MemoryChunk> cutIntoChunks(const std::vector<std::int64_t>& sizes);

/// Calls `work(index)` for every chunk, each thread taking the next one that is left. The caller puts results by index
/// and combines them in order, so that they do not depend on which thread came first.
template <class Work>
void forEachChunk(const std::vector<MemoryChunk>& chunks, const Work& work) {
    std::atomic<std::size_t> next{0};
    const auto lanes = std::min<std::int64_t>(at::get_num_threads(), std::int64_t(chunks.size()));
    at::parallel_for(0, lanes, 1, [&](std::int64_t, std::int64_t) {
        for (std::size_t index = next++; index < chunks.size(); index = next++)
            work(index);
    });
}

/// Whether the plain loops can run over this tensor: float32 in the CPU's memory, every element once and no gaps
/// (contiguous, channels-last, or any other order of the axes).
bool isPlainMemory(const at::Tensor& tensor);

/// `tensor` itself where equal elements lie at equal places as in `model`, else a copy that is laid out so. Both have
/// the same shape; `model` is plain memory.
at::Tensor laidOutLike(const at::Tensor& tensor, const at::Tensor& model);

} // namespace trainyard
