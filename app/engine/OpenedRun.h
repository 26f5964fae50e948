#pragma once

#include "app/engine/TrainingSession.h"
#include "core/config/ConfigFile.h"
#include "core/project/Project.h"

#include <memory>
#include <vector>

namespace trainyard {

/// A project, a run of it and the right to train that run.
struct OpenedRun {
    std::unique_ptr<Project> project;
    RunRecord record;
    std::unique_ptr<RunLock> lock;
    RunConfig config;                      ///< with device, precision, threads and the places of its data settled
    RunConfig stored;                      ///< the same as it is recorded: data in a root is written through it
    std::vector<ConfigDifference> changes; ///< of a run that goes on
};

/// Makes the run that was asked for, after everything that can be checked without reading data.
Result<OpenedRun> openNewRun(const TrainingRequest& request);

/// Takes up a run that exists, with its overrides and further iterations applied to the configuration.
Result<OpenedRun> openRunAgain(const TrainingRequest& request);

} // namespace trainyard
