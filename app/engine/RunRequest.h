#pragma once

#include "app/engine/DataPaths.h"
#include "app/engine/TrainingSession.h"
#include "core/config/RunConfig.h"

#include <string>
#include <vector>

namespace trainyard {

// What is settled about a run before any data is read.

/// "run 3 "words"", as errors name it.
std::string runLabel(const RunRecord& run);

/// "crnn-icdar2015_words": the model's type and the first training set.
std::string defaultRunName(const RunConfig& config);

/// Whether a run may be called so: a Usage error where a reference to it would mean something else ("7" is run 7,
/// "a@best" a checkpoint of run "a").
Result<void> checkRunName(const std::string& name);

/// The configuration of a run that goes on, with the places of its data on this machine: `stored` with `overrides`. A
/// key that cannot change on resume is a Usage error that names it and the way out; `run` names the run in others.
Result<RunConfig> changedConfig(const RunConfig& stored, const std::vector<std::string>& overrides,
                                const DataRoots& roots = {}, const std::string& run = "");

} // namespace trainyard
