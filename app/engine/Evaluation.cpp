#include "app/engine/Evaluation.h"

#include "app/engine/ModelRun.h"
#include "app/engine/RunData.h"
#include "app/engine/RunRequest.h"
#include "core/base/Clock.h"
#include "core/base/Log.h"

#include <nlohmann/json.hpp>

namespace trainyard {

namespace {
/// The data to score on: what was named, else the run's own, which may be a part of what it trains on.
Result<std::vector<std::shared_ptr<const Dataset>>>
openData(const LoadedModel& loaded, const std::vector<DatasetConfig>& data, const StoredSplit& split) {
    const auto& entries = data.empty() ? loaded.config.data.validation : data;
    if (entries.empty() && loaded.config.data.split.validationShare > 0 && !loaded.config.data.train.empty())
        return openSplitForEvaluation(loaded.config, loaded.classes, split);
    if (entries.empty())
        return Error{ErrorKind::Usage, "The run has no validation data.", "data.validation",
                     "Name some with --data PATH."};
    std::vector<std::shared_ptr<const Dataset>> datasets;
    for (const DatasetConfig& entry : entries) {
        auto dataset = openForEvaluation(entry, loaded.config, loaded.classes);
        if (!dataset)
            return dataset.error();
        datasets.push_back(std::move(*dataset));
    }
    return datasets;
}
} // namespace

Result<EvaluationResult> evaluateModel(LoadedModel& loaded, const std::vector<DatasetConfig>& data,
                                       const StoredSplit& split, const EvaluationProgress& progress) {
    const double begin = steadySeconds();
    if (const auto ready = loaded.task->ready(); !ready)
        return ready.error();
    const auto opened = openData(loaded, data, split);
    if (!opened)
        return opened.error();
    const auto& datasets = *opened;
    EvaluationResult result;
    result.report.iteration = loaded.iteration;
    result.report.weights = loaded.config.evaluate.weights;
    for (const auto& dataset : datasets)
        result.report.dataset += (result.report.dataset.empty() ? "" : " + ") + dataset->name();
    const auto scorer = loaded.task->makeScorer(*datasets.front());
    ModelRunListener listener;
    listener.onPrediction = [&](const SampleInfo& sample, const Prediction& found) { scorer->add(sample, found); };
    listener.onWarning = [](const std::string& sentence) { log::warn("{}", sentence); };
    listener.onProgress = progress;
    const auto count = runModel(*loaded.model, loaded.config, datasets, listener);
    if (!count)
        return count.error();
    result.report.samples = *count;
    result.report.metrics = scorer->metrics();
    result.classes = scorer->classScores();
    nlohmann::ordered_json details = nlohmann::ordered_json::object();
    scorer->addDetails(details);
    result.details = details.dump(-1, ' ', false, nlohmann::ordered_json::error_handler_t::replace);
    result.curves = scorer->curves();
    result.confusion = scorer->confusion();
    result.expected = heldAgainst(loaded.config.evaluate, result.report.metrics);
    result.report.seconds = steadySeconds() - begin;
    result.results = scorer->results();
    return result;
}

} // namespace trainyard
