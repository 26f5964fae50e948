#include "core/train/ModelWeights.h"

#include "core/interop/TorchFile.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <torch/nn/module.h>

#include <algorithm>
#include <unordered_map>

namespace trainyard {
namespace {

std::string shapeText(const at::Tensor& tensor) {
    return fmt::format("[{}]", fmt::join(tensor.sizes().vec(), ", "));
}

NamedTensors tensorsOf(Model& model) {
    NamedTensors tensors;
    for (const auto& parameter : model.named_parameters())
        tensors.emplace_back(parameter.key(), parameter.value());
    for (const auto& buffer : model.named_buffers())
        tensors.emplace_back(buffer.key(), buffer.value());
    return tensors;
}

bool startsWithAny(const std::string& name, const std::vector<std::string>& prefixes) {
    return std::any_of(prefixes.begin(), prefixes.end(), [&](const auto& prefix) { return name.starts_with(prefix); });
}

} // namespace

Result<WeightReport> loadWeights(Model& model, const std::filesystem::path& file) {
    auto weights = readWeights(file);
    if (!weights)
        return weights.error();
    std::unordered_map<std::string, at::Tensor> found(weights->begin(), weights->end());
    const std::vector<std::string> classDependent = model.classDependent();
    WeightReport report;
    std::vector<std::pair<at::Tensor, at::Tensor>> copies; // target, source
    std::vector<std::string> mismatches;
    for (const auto& [name, target] : tensorsOf(model)) {
        const auto source = found.find(name);
        const bool fits = source != found.end() && source->second.sizes() == target.sizes();
        if (fits)
            copies.emplace_back(target, source->second);
        else if (startsWithAny(name, classDependent))
            report.startedAnew.push_back(name);
        else if (source != found.end())
            mismatches.push_back(fmt::format("{} is {} in the file and {} in the model", name,
                                             shapeText(source->second), shapeText(target)));
        else if (!name.ends_with("num_batches_tracked")) // older files lack it
            mismatches.push_back(fmt::format("{} {} is not in the file", name, shapeText(target)));
        if (source != found.end())
            found.erase(source);
    }
    if (!mismatches.empty()) {
        const std::size_t shown = std::min<std::size_t>(mismatches.size(), 5);
        const std::vector<std::string> first(mismatches.begin(), mismatches.begin() + std::ptrdiff_t(shown));
        return Error{
            ErrorKind::Usage,
            fmt::format("The weights do not fit the model: {}{}.", fmt::join(first, "; "),
                        mismatches.size() > shown ? fmt::format("; and {} more", mismatches.size() - shown) : ""),
            file.string(), "Set the model's keys to what the weights were made with, or choose other weights."};
    }
    const torch::NoGradGuard noGradients;
    for (auto& [target, source] : copies)
        target.copy_(source);
    report.loaded = std::int64_t(copies.size());
    for (const auto& [name, tensor] : *weights)
        if (found.contains(name))
            report.unused.push_back(name);
    return report;
}

Result<void> restoreModel(Model& model, const NamedTensors& tensors) {
    const NamedTensors targets = tensorsOf(model);
    const std::unordered_map<std::string, at::Tensor> sources(tensors.begin(), tensors.end());
    const auto mismatch = [](std::string what) {
        return Error{ErrorKind::Damaged, std::move(what), "",
                     "The model's configuration differs from the checkpoint's: start a fine-tune instead."};
    };
    if (targets.size() != sources.size())
        return mismatch(
            fmt::format("The checkpoint holds {} tensors of the model, which has {}.", sources.size(), targets.size()));
    for (const auto& [name, target] : targets) {
        const auto source = sources.find(name);
        if (source == sources.end())
            return mismatch(fmt::format("The checkpoint lacks {}.", name));
        if (source->second.sizes() != target.sizes() || source->second.scalar_type() != target.scalar_type())
            return mismatch(fmt::format("{} is {} in the checkpoint and {} in the model.", name,
                                        shapeText(source->second), shapeText(target)));
    }
    const torch::NoGradGuard noGradients;
    for (const auto& [name, target] : targets)
        at::Tensor(target).copy_(sources.at(name));
    return {};
}

Result<void> takeAverages(Model& model, const NamedTensors& averages) {
    if (averages.empty())
        return Error{ErrorKind::Usage, "The checkpoint holds no averaged weights.", "",
                     "Use evaluate.weights=raw, or train with solve.average_decay."};
    const auto parameters = model.named_parameters();
    for (const auto& [name, average] : averages)
        if (const at::Tensor* target = parameters.find(name); !target || target->sizes() != average.sizes())
            return Error{ErrorKind::Usage, fmt::format("The averaged weights do not fit the model at {}.", name), "",
                         "Use evaluate.weights=raw."};
    const torch::NoGradGuard noGradients;
    for (const auto& [name, average] : averages)
        at::Tensor(parameters[name]).copy_(average);
    return {};
}

} // namespace trainyard
