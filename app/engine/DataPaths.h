#pragma once

#include "core/base/Error.h"
#include "core/config/RunConfig.h"
#include "core/project/Project.h"

#include <filesystem>
#include <string>
#include <vector>

namespace trainyard {

// The one place where the paths of a configuration meet the project's data roots. A run is stored with its paths
// through roots (`${cells}/train`) and trains with the places that they stand for on this machine.

/// The roots of the project in `folder`; none where there is no project yet.
Result<DataRoots> dataRootsIn(const std::filesystem::path& folder);

/// The roots of an open project.
Result<DataRoots> dataRootsOf(const Project& project);

/// Every path of the configuration as it is on this machine, absolute. Usage error: a root that the project does not
/// have; `run` ("run 3 "words"") is named in it where the configuration is a run's.
Result<RunConfig> withPlaces(RunConfig config, const DataRoots& roots, const std::string& run = "");
Result<DatasetConfig> withPlaces(DatasetConfig entry, const DataRoots& roots);

/// The same where unknown roots stay as they are written: for comparing and showing.
RunConfig withKnownPlaces(RunConfig config, const DataRoots& roots);

/// Every path made absolute, where no project is at hand.
inline RunConfig withAbsolutePaths(RunConfig config) {
    return withKnownPlaces(std::move(config), {});
}

/// Absolute paths in or below a root written through it.
RunConfig withRootNames(RunConfig config, const DataRoots& roots);

/// Whether each dataset is there and has a format, without reading it: a typing mistake fails before a run is made, a
/// folder that moved before a run is touched.
Result<void> checkDatasets(const RunConfig& config, const DataRoots& roots = {});

/// Writes the paths of all runs that lie in a root through it, so that they follow when it is re-pointed; a run that is
/// being trained is left alone. The runs whose data lies in root `name` then.
Result<std::vector<std::int64_t>> adoptRoot(Project& project, const std::string& name);

/// The runs whose data lies in root `name`.
Result<std::vector<std::int64_t>> runsInRoot(const Project& project, const std::string& name);

} // namespace trainyard
