#include "core/solve/MemoryChunks.h"

namespace trainyard {
namespace {

constexpr std::int64_t kChunkElements = 256 * 1024;

bool sameLayout(const at::Tensor& a, const at::Tensor& b) {
    for (std::int64_t axis = 0; axis < a.dim(); ++axis)
        if (a.size(axis) > 1 && a.stride(axis) != b.stride(axis))
            return false;
    return true;
}

} // namespace

std::vector<MemoryChunk> cutIntoChunks(const std::vector<std::int64_t>& sizes) {
    std::vector<MemoryChunk> chunks;
    for (std::size_t tensor = 0; tensor < sizes.size(); ++tensor)
        for (std::int64_t begin = 0; begin < sizes[tensor]; begin += kChunkElements)
            chunks.push_back({tensor, begin, std::min(begin + kChunkElements, sizes[tensor])});
    return chunks;
}

bool isPlainMemory(const at::Tensor& tensor) {
    return tensor.defined() && tensor.layout() == at::kStrided && tensor.device().is_cpu() &&
           tensor.scalar_type() == at::kFloat && tensor.is_non_overlapping_and_dense();
}

at::Tensor laidOutLike(const at::Tensor& tensor, const at::Tensor& model) {
    if (isPlainMemory(tensor) && sameLayout(tensor, model))
        return tensor;
    return at::empty_like(model).copy_(tensor);
}

} // namespace trainyard
