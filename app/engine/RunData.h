#pragma once

#include "app/engine/DataRecord.h"
#include "core/base/Error.h"
#include "core/config/RunConfig.h"
#include "core/data/Dataset.h"

#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace trainyard {

/// The datasets of a run, opened, split and brought to one list of classes. Nothing is decoded yet.
struct RunData {
    std::vector<std::shared_ptr<const Dataset>> train, validation;
    std::vector<std::string> classes; ///< detection
    std::string newCharacters;        ///< recognition: what the training sets bring into the alphabet, UTF-8
    StoredSplit split;                ///< what was set aside of each training set; empty where nothing was
};

/// What opening has to say meanwhile: a text and how far it is.
using DataProgress = std::function<void(const std::string& text, std::int64_t done, std::int64_t total)>;

/// Interrupted when `isCancelled` says so between or within datasets. `stored` is the split that the run began with.
Result<RunData> openRunData(const RunConfig& config, const DataProgress& progress,
                            const std::function<bool()>& isCancelled, const StoredSplit& stored = {});

/// What is to be known again at a resume.
DataRecord recordOf(const RunData& data);

/// "Trains on cells (voc, 205 samples); validates on cells (voc, 87 samples). Classes: RBC, WBC."
std::string foundText(const RunData& data);

/// What is wrong with the datasets, a few sentences each: the first problems and how many there are.
std::vector<std::string> summarisedProblems(const RunData& data);

/// Opens one dataset for evaluation with the model's classes.
Result<std::shared_ptr<const Dataset>> openForEvaluation(const DatasetConfig& entry, const RunConfig& config,
                                                         const std::vector<std::string>& classes,
                                                         const DataProgress& progress = {});

/// What was set aside of the training sets for validation, with the model's classes: the samples of the `stored` split,
/// else those that `data.split` chooses.
Result<std::vector<std::shared_ptr<const Dataset>>>
openSplitForEvaluation(const RunConfig& config, const std::vector<std::string>& classes, const StoredSplit& stored);

} // namespace trainyard
