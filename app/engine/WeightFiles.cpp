#include "app/engine/WeightFiles.h"

#include "app/engine/WeightSource.h"
#include "core/interop/StorageTypes.h"
#include "core/interop/WeightFile.h"
#include "core/models/Model.h"
#include "core/train/ModelWeights.h"

#include <set>

namespace trainyard {

namespace {
std::string typeName(const at::Tensor& tensor) {
    const auto known = storageTypeOf(tensor.scalar_type());
    return known ? std::string(known->dtype) : c10::toString(tensor.scalar_type());
}

WeightSummary summaryOf(const WeightFile& file) {
    WeightSummary summary;
    summary.format = formatName(file.format);
    for (const auto& [name, tensor] : file.weights)
        summary.entries.push_back({name, typeName(tensor), tensor.sizes().vec(), std::int64_t(tensor.nbytes())});
    summary.optimiserTensors = file.optimiserState;
    summary.preservedTensors = std::int64_t(file.preserved.size());
    summary.hasConfiguration = !file.detectronConfig.empty();
    return summary;
}

void addReport(const WeightReport& report, WeightSummary& summary) {
    summary.isCompared = true;
    summary.matched = report.matched;
    summary.renamed = report.renamed;
    summary.derived = report.derived;
    summary.missing = report.missing;
    summary.startedAnew = report.startedAnew;
    summary.unexpected = report.unexpected;
    summary.remarks = report.remarks;
}

/// What the file gave of a model's state, under the model's names.
WeightList loadedOf(const Model& model, const WeightReport& report) {
    std::set<std::string> loaded(report.matched.begin(), report.matched.end());
    loaded.insert(report.derived.begin(), report.derived.end());
    for (const auto& [ours, theirs] : report.renamed)
        loaded.insert(ours);
    WeightList weights;
    for (const auto& parameter : model.named_parameters())
        if (loaded.contains(parameter.key()))
            weights.emplace_back(parameter.key(), parameter.value().detach());
    for (const auto& buffer : model.named_buffers())
        if (loaded.contains(buffer.key()))
            weights.emplace_back(buffer.key(), buffer.value());
    return weights;
}
} // namespace

Result<WeightSummary> inspectWeights(const std::string& source, const RunConfig* config) {
    const auto path = weightSource(source);
    if (!path)
        return path.error();
    const auto file = readWeightFile(*path);
    if (!file)
        return file.error();
    WeightSummary summary = summaryOf(*file);
    if (!config)
        return summary;
    const auto model = makeModel(*config, {{}, config->seed});
    if (!model)
        return model.error();
    const auto compared = compareWeights(**model, *config, *path);
    if (!compared)
        return compared.error();
    addReport(compared->report, summary);
    return summary;
}

Result<WeightSummary> convertWeights(const std::string& source, const std::filesystem::path& target,
                                     const RunConfig* config) {
    const auto path = weightSource(source);
    if (!path)
        return path.error();
    const auto file = readWeightFile(*path);
    if (!file)
        return file.error();
    WeightSummary summary = summaryOf(*file);
    WeightList weights = file->weights;
    if (config) {
        const auto model = makeModel(*config, {{}, config->seed});
        if (!model)
            return model.error();
        const auto loaded = loadWeights(**model, *config, *path, false);
        if (!loaded)
            return loaded.error();
        addReport(loaded->report, summary);
        weights = loadedOf(**model, loaded->report);
    }
    if (const auto written = writeWeightFile(target, weights); !written)
        return written.error();
    summary.written = std::int64_t(weights.size());
    return summary;
}

} // namespace trainyard
