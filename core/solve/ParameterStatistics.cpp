#include "core/solve/ParameterStatistics.h"

#ifdef TRAINYARD_HAS_CUDA
#include "core/solve/DeviceStatistics.h"
#endif
#include "core/solve/MemoryChunks.h"
#include "core/solve/StatisticsKernel.h"

#include <ATen/ATen.h>

#include <cmath>

namespace trainyard {
namespace {

static_assert(kStatisticsBins == TensorStatistics::kBins);

TensorStatistics finished(const ChunkStatistics& total) {
    TensorStatistics statistics;
    statistics.count = total.finite + total.nonFinite;
    statistics.nonFinite = total.nonFinite;
    std::copy(std::begin(total.histogram), std::end(total.histogram), statistics.histogram.begin());
    if (statistics.count > 0)
        statistics.zeroShare = double(total.zeros) / double(statistics.count);
    if (total.finite == 0)
        return statistics;
    const double finite = double(total.finite);
    statistics.minimum = total.minimum;
    statistics.maximum = total.maximum;
    statistics.mean = total.mean;
    statistics.deviation = std::sqrt(total.squares / finite);
    statistics.norm = std::sqrt(total.squares + finite * total.mean * total.mean);
    return statistics;
}

bool isOnGpu(const at::Tensor& tensor) {
#ifdef TRAINYARD_HAS_CUDA
    return tensor.is_cuda() && tensor.scalar_type() == at::kFloat && tensor.is_non_overlapping_and_dense();
#else
    return false;
#endif
}

/// The same values as memory that a kernel can read; the order of elements does not matter here. Undefined stays so.
at::Tensor asReadable(const at::Tensor& tensor) {
    if (!tensor.defined() || isPlainMemory(tensor) || isOnGpu(tensor))
        return tensor;
    return tensor.detach().to(at::kCPU, at::kFloat).contiguous();
}

std::vector<ChunkStatistics> statisticsOnCpu(const std::vector<at::Tensor>& tensors,
                                             const std::vector<MemoryChunk>& chunks) {
    std::vector<ChunkStatistics> parts(chunks.size());
    forEachChunk(chunks, [&](std::size_t i) {
        const MemoryChunk& chunk = chunks[i];
        parts[i] = statisticsOfChunk(tensors[chunk.tensor].data_ptr<float>() + chunk.begin, chunk.end - chunk.begin);
    });
    return parts;
}

/// All of them are on the CPU or all on one GPU, as a replica's parameters are.
std::vector<ChunkStatistics> statisticsOfChunks(const std::vector<at::Tensor>& tensors,
                                                const std::vector<MemoryChunk>& chunks) {
#ifdef TRAINYARD_HAS_CUDA
    if (!chunks.empty() && tensors[chunks.front().tensor].is_cuda())
        return statisticsOnDevice(tensors, chunks);
#endif
    return statisticsOnCpu(tensors, chunks);
}

/// Of many tensors in one pass; an undefined one has no elements.
std::vector<TensorStatistics> statisticsOfReadable(const std::vector<at::Tensor>& tensors) {
    std::vector<std::int64_t> sizes;
    for (const at::Tensor& tensor : tensors)
        sizes.push_back(tensor.defined() ? tensor.numel() : 0);
    const auto chunks = cutIntoChunks(sizes);
    const auto parts = statisticsOfChunks(tensors, chunks);
    std::vector<ChunkStatistics> totals(tensors.size());
    for (std::size_t i = 0; i < chunks.size(); ++i)
        merge(totals[chunks[i].tensor], parts[i]);
    std::vector<TensorStatistics> statistics;
    for (const ChunkStatistics& total : totals)
        statistics.push_back(finished(total));
    return statistics;
}

} // namespace

TensorStatistics statisticsOf(const torch::Tensor& tensor) {
    at::NoGradGuard noGrad;
    return statisticsOfReadable({asReadable(tensor)}).front();
}

StatisticsReport statisticsOf(const std::vector<Parameter>& parameters, std::int64_t iteration,
                              const std::vector<double>& updateNorms) {
    at::NoGradGuard noGrad;
    std::vector<at::Tensor> tensors;
    for (const Parameter& parameter : parameters) {
        tensors.push_back(asReadable(parameter.value));
        tensors.push_back(asReadable(parameter.value.grad()));
    }
    const auto statistics = statisticsOfReadable(tensors);
    StatisticsReport report;
    report.iteration = iteration;
    for (std::size_t i = 0; i < parameters.size(); ++i) {
        ParameterReport parameter{parameters[i].name, statistics[2 * i], statistics[2 * i + 1], 0.0};
        if (i < updateNorms.size() && parameter.weight.norm > 0)
            parameter.updateToWeight = updateNorms[i] / parameter.weight.norm;
        report.parameters.push_back(std::move(parameter));
    }
    return report;
}

std::vector<std::uint32_t> negativesOf(const torch::Tensor& tensor) {
    if (!tensor.defined())
        return {};
    const at::NoGradGuard noGrad;
    // What is not negative counts as zero, and zeros are in the first bin.
    const auto below = statisticsOf(tensor.detach().clamp_max(0));
    std::vector<std::uint32_t> negatives(below.histogram.begin(), below.histogram.end());
    negatives.front() -= std::uint32_t((tensor.detach() >= 0).sum().item<std::int64_t>());
    return negatives;
}

void countNegatives(StatisticsReport& report, const std::vector<Parameter>& parameters) {
    for (std::size_t i = 0; i < parameters.size(); ++i) {
        report.parameters[i].weight.negatives = negativesOf(parameters[i].value);
        report.parameters[i].gradient.negatives = negativesOf(parameters[i].value.grad());
    }
}

} // namespace trainyard
