#include "app/engine/ModelRun.h"

#include "app/engine/TileCollector.h"
#include "core/data/Split.h"
#include "core/data/Tiles.h"
#include "core/data/Transforms.h"
#include "core/loader/EvaluationBatches.h"
#include "core/models/Model.h"
#include "core/nn/Autocast.h"

namespace trainyard {

namespace {

using Datasets = std::vector<std::shared_ptr<const Dataset>>;

Result<std::int64_t> runOverSamples(Model& model, const RunConfig& config, const Datasets& datasets,
                                    const ModelRunListener& listener) {
    const torch::NoGradGuard noGradients;
    const at::Device device = model.parameters().front().device();
    const Autocast autocast(config.train.precision == "bf16" && device.is_cpu());
    EvaluationBatchesParts parts;
    parts.config = config;
    parts.task = taskOf(config.model);
    parts.datasets = datasets;
    parts.transforms = std::make_shared<TransformChain>(makeTransforms(config, parts.task, false));
    parts.warn = listener.onWarning;
    EvaluationBatches batches(std::move(parts));
    std::int64_t done = 0;
    while (true) {
        const auto batch = batches.next(listener.isCancelled);
        if (!batch)
            return batch.error();
        if (!*batch)
            return done;
        if (listener.isCancelled && listener.isCancelled())
            return Error{ErrorKind::Interrupted, "The evaluation was stopped.", "", ""};
        if ((*batch)->size() > 0) {
            const auto predictions = model.predict((*batch)->to(device));
            for (std::size_t i = 0; i < predictions.size(); ++i)
                listener.onPrediction((*batch)->samples[i], predictions[i]);
        }
        done += (*batch)->size();
        if (listener.onProgress)
            listener.onProgress(done, batches.sampleCount());
    }
}

/// `most` samples, spread evenly over all datasets, as views of them.
Datasets limited(const Datasets& datasets, std::int64_t most) {
    std::int64_t all = 0;
    for (const auto& dataset : datasets)
        all += dataset->size();
    if (most <= 0 || most >= all)
        return datasets;
    Datasets views;
    std::int64_t begin = 0, next = 0;
    for (const auto& dataset : datasets) {
        std::vector<std::int64_t> indices;
        for (; next < most && next * all / most < begin + dataset->size(); ++next)
            indices.push_back(next * all / most - begin);
        begin += dataset->size();
        if (!indices.empty())
            views.push_back(std::make_shared<DatasetView>(dataset, std::move(indices)));
    }
    return views;
}

/// Image by image, each by its tiles.
Result<std::int64_t> runOverTiles(Model& model, RunConfig config, const Datasets& datasets, ModelRunListener listener) {
    Datasets tiled;
    for (const auto& dataset : limited(datasets, config.evaluate.maxSamples))
        tiled.push_back(std::make_shared<TiledDataset>(dataset, config.data.tiles));
    config.evaluate.maxSamples = 0;
    TileCollector collector(config.data.tiles.mergeOverlap, listener.onPrediction);
    listener.onPrediction = [&](const SampleInfo& tile, const Prediction& found) { collector.add(tile, found); };
    const auto tiles = runOverSamples(model, config, tiled, listener);
    if (!tiles)
        return tiles;
    collector.finish();
    return collector.images();
}

} // namespace

Result<std::int64_t> runModel(Model& model, const RunConfig& config,
                              const std::vector<std::shared_ptr<const Dataset>>& datasets,
                              const ModelRunListener& listener) {
    const bool isTiled = config.data.tiles.size > 0 && taskOf(config.model) == TaskKind::Detection;
    return isTiled ? runOverTiles(model, config, datasets, listener)
                   : runOverSamples(model, config, datasets, listener);
}

} // namespace trainyard
