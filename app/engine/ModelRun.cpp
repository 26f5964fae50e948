#include "app/engine/ModelRun.h"

#include "app/engine/TileCollector.h"
#include "app/engine/ViewedModel.h"
#include "core/data/Split.h"
#include "core/data/Tiles.h"
#include "core/loader/EvaluationBatches.h"
#include "core/models/Model.h"
#include "core/nn/Autocast.h"

namespace trainyard {

namespace {

using Datasets = std::vector<std::shared_ptr<const Dataset>>;

/// The samples of the datasets in each view, side by side.
class ViewedBatches {
public:
    ViewedBatches(const RunConfig& config, const Datasets& datasets, const std::vector<PlannedView>& views,
                  const ModelRunListener& listener) {
        EvaluationBatchesParts parts;
        parts.config = config;
        parts.task = taskOf(config.model);
        parts.datasets = datasets;
        parts.warn = listener.onWarning;
        for (const PlannedView& view : views) {
            parts.transforms = view.transforms;
            m_sources.push_back(std::make_unique<EvaluationBatches>(parts));
            parts.warn = {}; // a damaged image is told of once
            parts.config.data.workers = 1;
        }
    }

    std::int64_t sampleCount() const { return m_sources.front()->sampleCount(); }

    /// A batch of each view; none after the last.
    Result<std::vector<Batch>> next(const std::function<bool()>& isCancelled) {
        std::vector<Batch> batches;
        for (const auto& source : m_sources) {
            auto batch = source->next(isCancelled);
            if (!batch)
                return batch.error();
            if (!*batch)
                return std::vector<Batch>();
            batches.push_back(std::move(**batch));
        }
        return batches;
    }

private:
    std::vector<std::unique_ptr<EvaluationBatches>> m_sources;
};

std::vector<Batch> onDevice(const std::vector<Batch>& batches, const at::Device& device) {
    std::vector<Batch> moved;
    for (const Batch& batch : batches)
        moved.push_back(batch.to(device));
    return moved;
}

Result<std::int64_t> runOverSamples(Model& model, const RunConfig& config, const Datasets& datasets,
                                    const ModelRunListener& listener) {
    const torch::NoGradGuard noGradients;
    const at::Device device = model.parameters().front().device();
    const Autocast autocast(config.train.precision == "bf16" && device.is_cpu());
    auto viewed = ViewedModel::make(model, config);
    if (!viewed)
        return viewed.error();
    ViewedBatches source(config, datasets, viewed->views(), listener);
    std::int64_t done = 0;
    while (true) {
        const auto batches = source.next(listener.isCancelled);
        if (!batches)
            return batches.error();
        if (batches->empty())
            return done;
        if (listener.isCancelled && listener.isCancelled())
            return Error{ErrorKind::Interrupted, "The evaluation was stopped.", "", ""};
        const Batch& plain = batches->back();
        if (plain.size() > 0) {
            const auto predictions = viewed->predict(onDevice(*batches, device));
            for (std::size_t i = 0; i < predictions.size(); ++i)
                listener.onPrediction(plain.samples[i], predictions[i]);
        }
        done += plain.size();
        if (listener.onProgress)
            listener.onProgress(done, source.sampleCount());
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
