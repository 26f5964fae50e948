#include "app/engine/Evaluation.h"

#include "app/engine/ModelRun.h"
#include "app/engine/RunData.h"
#include "app/engine/RunRequest.h"
#include "core/base/Clock.h"
#include "core/base/Log.h"

#include <nlohmann/json.hpp>

namespace trainyard {

Result<EvaluationResult> evaluateModel(LoadedModel& loaded, const std::vector<DatasetConfig>& data,
                                       const EvaluationProgress& progress) {
    const double begin = steadySeconds();
    if (const auto ready = loaded.task->ready(); !ready)
        return ready.error();
    const auto& entries = data.empty() ? loaded.config.data.validation : data;
    if (entries.empty())
        return Error{ErrorKind::Usage, "The run has no validation data.", "data.validation",
                     "Name some with --data PATH."};
    EvaluationResult result;
    result.report.iteration = loaded.iteration;
    result.report.weights = loaded.config.evaluate.weights;
    std::vector<std::shared_ptr<const Dataset>> datasets;
    for (const DatasetConfig& entry : entries) {
        auto dataset = openForEvaluation(entry, loaded.config, loaded.classes);
        if (!dataset)
            return dataset.error();
        result.report.dataset += (datasets.empty() ? "" : " + ") + (*dataset)->name();
        datasets.push_back(std::move(*dataset));
    }
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
