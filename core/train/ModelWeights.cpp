#include "core/train/ModelWeights.h"

#include "core/base/Text.h"
#include "core/config/RunConfig.h"
#include "core/interop/WeightFile.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <torch/nn/module.h>

#include <algorithm>
#include <unordered_map>

namespace trainyard {
namespace {

constexpr std::size_t kNamed = 100; // tensors that a sentence names

std::string shapeText(const at::Tensor& tensor) {
    return fmt::format("[{}]", fmt::join(tensor.sizes().vec(), ", "));
}

NamedTensors tensorsOf(const Model& model) {
    NamedTensors tensors;
    for (const auto& parameter : model.named_parameters())
        tensors.emplace_back(parameter.key(), parameter.value());
    for (const auto& buffer : model.named_buffers())
        tensors.emplace_back(buffer.key(), buffer.value());
    return tensors;
}

/// What becomes of pixels on their way to the network.
PixelScale pixelsOf(const NormaliseConfig& normalise) {
    PixelScale pixels;
    pixels.isBgr = normalise.channelOrder == "bgr";
    for (std::size_t channel = 0; channel < pixels.mean.size(); ++channel) { // Validation wants three of each
        pixels.mean[channel] = normalise.mean.at(channel);
        pixels.deviation[channel] = normalise.deviation.at(channel);
    }
    return pixels;
}

MatchOptions optionsOf(const Model& model, const RunConfig& config) {
    MatchOptions options;
    options.classDependent = model.classDependent();
    options.pixels = pixelsOf(config.data.normalise);
    if (config.model.type == "retinanet")
        options.anchorRatios = config.model.retinanet.aspectRatios;
    return options;
}

Result<WeightMatch> matchedWith(const Model& model, const RunConfig& config, const std::filesystem::path& file) {
    const auto weights = readWeightFile(file);
    if (!weights)
        return weights.error();
    auto match = matchWeights(tensorsOf(model), *weights, optionsOf(model, config));
    if (match)
        return match;
    Error error = match.error();
    error.where = file.string();
    return error;
}

} // namespace

Result<LoadedWeights> loadWeights(Model& model, const RunConfig& config, const std::filesystem::path& file,
                                  bool isTraining) {
    auto match = matchedWith(model, config, file);
    if (!match)
        return match.error();
    if (isTraining && match->report.lacksBoxWeights)
        return Error{ErrorKind::Usage,
                     "The weights are of a Detectron whose boxes were scaled by their dataset (its configuration lacks "
                     "MODEL.BBOX_REG_WEIGHTS), so training cannot go on from them.",
                     file.string(), "Choose weights of a newer Detectron; these can still predict."};
    const torch::NoGradGuard noGradients;
    for (auto& [target, source] : match->copies)
        target.copy_(source);
    return LoadedWeights{std::move(match->report), std::move(match->preserved)};
}

Result<LoadedWeights> compareWeights(const Model& model, const RunConfig& config, const std::filesystem::path& file) {
    auto match = matchedWith(model, config, file);
    if (!match)
        return match.error();
    return LoadedWeights{std::move(match->report), std::move(match->preserved)};
}

WeightSentences sentencesOf(const WeightReport& report, const std::filesystem::path& file) {
    WeightSentences said;
    said.loaded = fmt::format("{} tensors loaded from {}", report.loaded(), file.string());
    said.loaded += report.renamed.empty() ? "." : fmt::format(", {} of them under other names.", report.renamed.size());
    if (!report.startedAnew.empty())
        said.warnings.push_back(fmt::format("These start anew, because they depend on the classes: {}.",
                                            text::joined(report.startedAnew, kNamed)));
    if (!report.missing.empty())
        said.warnings.push_back(fmt::format("Not found in the weights, so these keep their initial values: {}.",
                                            text::joined(report.missing, kNamed)));
    if (!report.unexpected.empty())
        said.warnings.push_back(fmt::format(
            "{} of the file {} no place in the model: {}.",
            report.unexpected.size() == 1 ? "One tensor" : fmt::format("{} tensors", report.unexpected.size()),
            report.unexpected.size() == 1 ? "has" : "have", text::joined(report.unexpected)));
    said.warnings.insert(said.warnings.end(), report.remarks.begin(), report.remarks.end());
    return said;
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
