#include "core/train/NonFinite.h"

#include "core/base/AtomicFile.h"
#include "core/interop/TorchFile.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>

namespace trainyard {
namespace {

std::string numberText(double number) {
    if (std::isnan(number))
        return "NaN";
    if (std::isinf(number))
        return number > 0 ? "infinite" : "negative infinite";
    return fmt::format("{}", number);
}

/// "a, b and 6 more"
std::string listText(const std::vector<std::string>& names, std::size_t limit = 3) {
    const std::size_t shown = std::min(names.size(), limit);
    const std::vector<std::string> first(names.begin(), names.begin() + std::ptrdiff_t(shown));
    return names.size() > shown ? fmt::format("{} and {} more", fmt::join(first, ", "), names.size() - shown)
                                : fmt::format("{}", fmt::join(first, ", "));
}

std::vector<std::string> sampleIds(const std::vector<StepBatch>& batches) {
    std::vector<std::string> ids;
    for (const StepBatch& batch : batches)
        for (const Batch& part : batch.parts)
            for (const SampleInfo& sample : part.samples)
                ids.push_back(sample.id);
    return ids;
}

TorchValue asValue(const Batch& part) {
    TorchValue::Dict targets;
    for (const auto& [name, target] : part.targets)
        targets.emplace_back(name, TorchValue(target));
    TorchValue::List samples;
    for (const SampleInfo& sample : part.samples)
        samples.push_back(TorchValue(TorchValue::Dict{{"id", TorchValue(sample.id)},
                                                      {"dataset", TorchValue(sample.dataset)},
                                                      {"transcript", TorchValue(sample.transcript)}}));
    return TorchValue(TorchValue::Dict{{"images", TorchValue(part.images)},
                                       {"targets", TorchValue(std::move(targets))},
                                       {"samples", TorchValue(std::move(samples))}});
}

std::filesystem::path fileFor(const std::filesystem::path& runFolder, std::int64_t iteration, const char* ending) {
    return runFolder / fmt::format("non-finite-{}.{}", iteration, ending);
}

} // namespace

std::string NonFiniteFinding::sentence() const {
    std::string text;
    if (!badLosses.empty()) {
        const auto loss =
            std::find_if(losses.begin(), losses.end(), [&](const auto& l) { return l.first == badLosses[0]; });
        text = fmt::format("The loss \"{}\" became {} at iteration {}", badLosses[0],
                           numberText(loss == losses.end() ? std::nan("") : loss->second), iteration);
    } else {
        text = fmt::format("The gradient became non-finite at iteration {}, first that of {}", iteration,
                           listText(badGradients));
    }
    text += badWeights.empty() ? "; all weights are finite" : "; non-finite weights: " + listText(badWeights);
    return text + fmt::format("; in the batch: {}.", listText(sampleIds(batches)));
}

std::string NonFiniteFinding::remedy(const RunConfig& config) const {
    const double batch = double(std::max<std::int64_t>(1, std::int64_t(sampleIds(batches).size())));
    // SGD's usual scale is 0.02 for 16 images; ten times that is out of proportion. Adam's is 0.001 whatever the batch.
    const double usual = config.solve.optimizer == "sgd" ? 0.02 * batch / 16 * 10 : 0.01;
    const bool isOutOfProportion = config.solve.optimizer != "adadelta" && learningRate > usual;
    const std::string hint =
        isOutOfProportion
            ? fmt::format("The learning rate {} looks too high for {} samples an update: lower solve.base_lr",
                          learningRate, batch)
            : std::string("Lower solve.base_lr, lengthen solve.warm_up.iterations");
    return fmt::format("{} or set solve.clip_norm; the batch is stored as non-finite-{}.pth.", hint, iteration);
}

Error NonFiniteFinding::error(const RunConfig& config, const std::filesystem::path& runFolder) const {
    return {ErrorKind::NonFinite, sentence(), runFolder.string(), remedy(config)};
}

Result<void> NonFiniteFinding::save(const RunConfig& config, const std::filesystem::path& runFolder) const {
    nlohmann::ordered_json json = {{"iteration", iteration},
                                   {"sentence", sentence()},
                                   {"remedy", remedy(config)},
                                   {"learning_rate", learningRate},
                                   {"bad_losses", badLosses},
                                   {"non_finite_weights", badWeights},
                                   {"non_finite_gradients", badGradients},
                                   {"samples", sampleIds(batches)}};
    for (const auto& [name, loss] : losses) // JSON knows no NaN
        json["losses"][name] =
            std::isfinite(loss) ? nlohmann::ordered_json(loss) : nlohmann::ordered_json(numberText(loss));
    const std::string text = json.dump(2, ' ', false, nlohmann::json::error_handler_t::replace) + "\n";
    if (auto written = writeFile(fileFor(runFolder, iteration, "json"), text); !written)
        return written.error();
    auto file = AtomicFile::create(fileFor(runFolder, iteration, "pth"));
    if (!file)
        return file.error();
    TorchValue::List parts;
    for (const StepBatch& batch : batches)
        for (const Batch& part : batch.parts)
            parts.push_back(asValue(part));
    if (auto written = writeTorchFile(*file, TorchValue(TorchValue::Dict{{"parts", TorchValue(std::move(parts))}}));
        !written)
        return written.error();
    return file->commit();
}

} // namespace trainyard
