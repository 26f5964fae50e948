#include "app/engine/ModelRun.h"

#include "core/data/Transforms.h"
#include "core/loader/EvaluationBatches.h"
#include "core/models/Model.h"
#include "core/nn/Autocast.h"

namespace trainyard {

Result<std::int64_t> runModel(Model& model, const RunConfig& config,
                              const std::vector<std::shared_ptr<const Dataset>>& datasets,
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

} // namespace trainyard
