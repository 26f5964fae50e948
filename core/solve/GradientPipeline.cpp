#include "core/solve/GradientPipeline.h"

#include "core/solve/GradientKernels.h"
#include "core/solve/MemoryChunks.h"

#include <ATen/ATen.h>

#include <cmath>
#include <limits>

namespace trainyard {
namespace {

/// Gradients that exist, split by how they can be read.
struct Gradients {
    std::vector<const Parameter*> owners;
    std::vector<at::Tensor> tensors;
    std::vector<MemoryChunk> chunks; ///< of the plain ones

    explicit Gradients(const std::vector<Parameter>& parameters) {
        std::vector<std::int64_t> sizes;
        for (const Parameter& parameter : parameters) {
            const at::Tensor gradient = parameter.value.grad();
            if (!gradient.defined())
                continue;
            owners.push_back(&parameter);
            tensors.push_back(gradient);
            sizes.push_back(isPlainMemory(gradient) ? gradient.numel() : 0);
        }
        chunks = cutIntoChunks(sizes);
    }

    /// The sum of squares of each, in one pass.
    std::vector<double> sumsOfSquares() const {
        std::vector<double> parts(chunks.size());
        forEachChunk(chunks, [&](std::size_t i) {
            const MemoryChunk& chunk = chunks[i];
            parts[i] = sumOfSquares(tensors[chunk.tensor].data_ptr<float>() + chunk.begin, chunk.end - chunk.begin);
        });
        std::vector<double> sums(tensors.size(), 0.0);
        for (std::size_t i = 0; i < chunks.size(); ++i)
            sums[chunks[i].tensor] += parts[i];
        for (std::size_t i = 0; i < tensors.size(); ++i)
            if (!isPlainMemory(tensors[i]))
                sums[i] = tensors[i].to(at::kDouble).square().sum().item<double>();
        return sums;
    }

    /// Multiplies each by its factor and keeps its elements within ±limit, in one pass.
    void scale(const std::vector<double>& factors, double limit) const {
        const auto isUntouched = [&](std::size_t tensor) { return factors[tensor] == 1.0 && std::isinf(limit); };
        forEachChunk(chunks, [&](std::size_t i) {
            const MemoryChunk& chunk = chunks[i];
            if (!isUntouched(chunk.tensor))
                scaleAndClamp(tensors[chunk.tensor].data_ptr<float>() + chunk.begin, chunk.end - chunk.begin,
                              float(factors[chunk.tensor]), float(limit));
        });
        for (std::size_t i = 0; i < tensors.size(); ++i)
            if (!isPlainMemory(tensors[i]) && !isUntouched(i))
                tensors[i].mul_(factors[i]).clamp_(-limit, limit);
    }
};

/// torch.nn.utils.clip_grad_norm_ scales by this where it is below one.
double clipFactor(double norm, double largest) {
    return largest > 0 ? std::min(1.0, largest / (norm + 1e-6)) : 1.0;
}

} // namespace

GradientReport runGradientPipeline(const std::vector<Parameter>& parameters, const SolveConfig& config) {
    at::NoGradGuard noGrad;
    const Gradients gradients(parameters);
    const auto sums = gradients.sumsOfSquares();
    GradientReport report;
    std::vector<double> factors(sums.size(), 1.0);
    double total = 0, totalClipped = 0; // squares of norms
    for (std::size_t i = 0; i < sums.size(); ++i) {
        const Parameter& owner = *gradients.owners[i];
        if (!std::isfinite(sums[i]))
            report.nonFinite.push_back(owner.name);
        if (owner.isMultiplied)
            factors[i] = config.biasMultiplier;
        if (owner.isFrozen)
            continue;
        const double square = sums[i] * factors[i] * factors[i], limit = config.clipEachNorm;
        total += square;
        if (limit > 0 && square > limit * limit)
            factors[i] *= limit / std::sqrt(square);
        totalClipped += sums[i] * factors[i] * factors[i];
    }
    report.norm = std::sqrt(total);
    report.isFinite = report.nonFinite.empty();
    if (!report.isFinite)
        return report;

    for (const Parameter& parameter : parameters)
        if (parameter.isFrozen && parameter.value.grad().defined())
            at::Tensor(parameter.value).mutable_grad().reset();
    const double clip = clipFactor(std::sqrt(totalClipped), config.clipNorm);
    for (double& factor : factors)
        factor *= clip;
    const double limit = config.clipValue > 0 ? config.clipValue : std::numeric_limits<double>::infinity();
    gradients.scale(factors, limit);
    return report;
}

} // namespace trainyard
