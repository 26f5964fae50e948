#pragma once

#include "core/project/ProjectSalvage.h"

#include <filesystem>
#include <string>
#include <vector>

namespace trainyard {

/// What a run folder, and a salvaged index where there is one, still tell about a run: rows for a new index. Newer
/// knowledge wins; where run.json is gone, the files themselves are asked.
struct RunRemains {
    Row run;                                                           ///< without id and folder
    std::vector<Row> tags, sessions, checkpoints, events, evaluations; ///< without the run's number
    bool hasRunFile = true;                                            ///< or run.json must be written anew
    std::vector<std::string> troubles;                                 ///< sentences about what could not be read

    /// `folder` relative to the project.
    static RunRemains gather(const std::filesystem::path& project, const std::string& folder, const Salvage& salvage);
};

} // namespace trainyard
