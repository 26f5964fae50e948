#pragma once

#include "core/base/Error.h"
#include "core/config/RunConfig.h"
#include "core/data/Dataset.h"

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace trainyard {

class Model;

/// Who follows a model's way through datasets; each may be empty but the first. Called on the caller's thread, save
/// `onWarning`, which a loader's thread calls.
struct ModelRunListener {
    std::function<void(const SampleInfo& sample, const Prediction& prediction)> onPrediction; ///< in order
    std::function<void(const std::string& sentence)> onWarning; ///< of a sample that was left out
    std::function<void(std::int64_t done, std::int64_t total)> onProgress;
    std::function<bool()> isCancelled;
};

/// Lets the model predict every sample of the datasets (as `evaluate.max_samples` says); batches are read ahead. The
/// model is in eval mode. Fails as Interrupted when cancelled, and with a Data error on a damaged image where
/// `data.on_damaged` is stop. How many predictions there were.
Result<std::int64_t> runModel(Model& model, const RunConfig& config,
                              const std::vector<std::shared_ptr<const Dataset>>& datasets,
                              const ModelRunListener& listener);

} // namespace trainyard
