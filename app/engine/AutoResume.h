#pragma once

#include "app/engine/TrainingSession.h"
#include "core/project/Project.h"

#include <optional>

namespace trainyard {

/// What `--auto-resume` makes of a request for a new run.
struct AutoResume {
    std::optional<RunRecord> finished; ///< it has been done before: nothing is left to do
    TrainingRequest request;           ///< else: the new run as asked for, or the continuation of an interrupted one
};

/// Looks for the newest run of the request's name. Settings of the request that differ from the run's and may change on
/// resume become its overrides; others are a Usage error that names the key. Damaged when another process trains it.
Result<AutoResume> findAutoResume(const TrainingRequest& request);

} // namespace trainyard
