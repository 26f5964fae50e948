#pragma once

#include "core/base/Error.h"
#include "core/models/Model.h"
#include "core/solve/Parameter.h"

#include <filesystem>
#include <string>
#include <vector>

namespace trainyard {

/// What came of loading foreign weights.
struct WeightReport {
    std::int64_t loaded = 0;
    std::vector<std::string> startedAnew; ///< class-dependent ones of another shape, or not in the file
    std::vector<std::string> unused;      ///< in the file only
};

/// Copies the weights of `file` into `model` by name, for a fine-tune. What depends on the number of classes and does
/// not fit keeps its initial values and is listed; any other mismatch is a Usage error with both shapes, and nothing is
/// changed.
Result<WeightReport> loadWeights(Model& model, const std::filesystem::path& file);

/// Copies `tensors` into the model's parameters and buffers, for a resume: names and shapes must be the same ones, else
/// a Damaged error.
Result<void> restoreModel(Model& model, const NamedTensors& tensors);

/// Puts averaged weights in the place of the model's own; what has no average (buffers, frozen weights) stays. A Usage
/// error where there are none, or they fit another model.
Result<void> takeAverages(Model& model, const NamedTensors& averages);

} // namespace trainyard
