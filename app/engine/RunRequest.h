#pragma once

#include "app/engine/TrainingSession.h"
#include "core/config/RunConfig.h"

#include <string>
#include <vector>

namespace trainyard {

// What is settled about a run before any data is read.

/// Every path of the configuration made absolute, so that the run goes on from any folder.
RunConfig withAbsolutePaths(RunConfig config);

/// "crnn-icdar2015_words": the model's type and the first training set.
std::string defaultRunName(const RunConfig& config);

/// Whether each dataset is there and has a format, without reading it: a typing mistake fails before a run is made.
Result<void> checkDatasets(const RunConfig& config);

/// The configuration of a run that goes on: `stored` with `overrides`. A key that cannot change on resume is a Usage
/// error that names it and the way out.
Result<RunConfig> changedConfig(const RunConfig& stored, const std::vector<std::string>& overrides);

} // namespace trainyard
