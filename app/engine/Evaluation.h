#pragma once

#include "app/engine/DataRecord.h"
#include "app/engine/LoadedModel.h"
#include "app/engine/Task.h"
#include "core/config/RunConfig.h"
#include "core/evaluate/ExpectedResults.h"
#include "core/telemetry/StepReport.h"

#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace trainyard {

/// How far it is: samples done, of how many.
using EvaluationProgress = std::function<void(std::int64_t done, std::int64_t total)>;

/// A report with what is behind it.
struct EvaluationResult {
    EvaluationReport report;
    std::vector<ClassScore> classes;  ///< of each kind of result; empty for words and proposals
    std::string details = "{}";       ///< a JSON object of what there is beyond: words by length, worst cases
    std::vector<ResultsFile> results; ///< the predictions in the task's own file formats
    std::vector<NamedCurve> curves;
    std::optional<ConfusionMatrix> confusion; ///< of boxes
    std::vector<ExpectedResult> expected;     ///< what `evaluate.expected` asked for
    std::vector<std::string> warnings;        ///< sentences
};

/// Scores a loaded model on datasets; empty takes the validation data of its configuration, or what was set aside of
/// its training data: by `split`, the run's stored one, where there is one.
Result<EvaluationResult> evaluateModel(LoadedModel& loaded, const std::vector<DatasetConfig>& data,
                                       const StoredSplit& split, const EvaluationProgress& progress);

/// Scores a file of results without any model: COCO's JSON against COCO annotations (`type` is bbox, segm, keypoints or
/// proposals), VOC's files of each class against VOC data, readings against words; these are matched by the name of the
/// image and read as `config` says. What it returns holds no predictions.
Result<EvaluationResult> evaluateResults(const std::string& results, const DatasetConfig& data, const std::string& type,
                                         const RunConfig& config);

} // namespace trainyard
