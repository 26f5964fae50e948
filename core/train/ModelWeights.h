#pragma once

#include "core/base/Error.h"
#include "core/config/RunConfig.h"
#include "core/interop/WeightMatch.h"
#include "core/models/Model.h"
#include "core/solve/Parameter.h"

#include <filesystem>
#include <string>
#include <vector>

namespace trainyard {

/// What came of loading foreign weights.
struct LoadedWeights {
    WeightReport report;
    NamedTensors preserved; ///< blobs that the model has no place for and that its checkpoints carry on
};

/// Copies the weights of `file` into `model` by name, for a fine-tune or, with `isTraining` false, to use them as they
/// are. Ours, torchvision's and Detectron's names are known. What is not in the file, and what depends on the number of
/// classes and does not fit, keeps its initial values and is listed. Any other shape that differs is a Usage error with
/// both shapes; so is, for training, a Detectron file of before MODEL.BBOX_REG_WEIGHTS. Then nothing is changed.
Result<LoadedWeights> loadWeights(Model& model, const RunConfig& config, const std::filesystem::path& file,
                                  bool isTraining = true);

/// What `loadWeights` would find.
Result<LoadedWeights> compareWeights(const Model& model, const RunConfig& config, const std::filesystem::path& file);

/// The report as sentences: how many were loaded first, then what needs a look.
struct WeightSentences {
    std::string loaded;
    std::vector<std::string> warnings;
};
WeightSentences sentencesOf(const WeightReport& report, const std::filesystem::path& file);

/// Copies `tensors` into the model's parameters and buffers, for a resume: names and shapes must be the same ones, else
/// a Damaged error.
Result<void> restoreModel(Model& model, const NamedTensors& tensors);

/// Puts averaged weights in the place of the model's own; what has no average (buffers, frozen weights) stays. A Usage
/// error where there are none, or they fit another model.
Result<void> takeAverages(Model& model, const NamedTensors& averages);

} // namespace trainyard
