#pragma once

#include "core/base/Error.h"
#include "core/project/Project.h"

#include <filesystem>
#include <optional>
#include <string>

namespace trainyard {

/// A checkpoint that a person named, and the run it belongs to where it is one of the project's.
struct FoundCheckpoint {
    std::filesystem::path file;
    std::optional<RunRecord> run;
    std::optional<CheckpointRecord> record;
};

/// What a person may type: the number that `checkpoints list` shows, RUN@ITERATION, RUN@best or RUN@newest.
Result<CheckpointRecord> findCheckpointRecord(const Project& project, const std::string& reference);

/// The same for a known run, where @ITERATION, best, newest and a file's name are understood too.
Result<CheckpointRecord> findCheckpointOfRun(const Project& project, const RunRecord& run,
                                             const std::string& reference);

/// A checkpoint to load: a file anywhere (then no project is needed and `project` may be null), RUN (its best
/// checkpoint, else its newest), or what findCheckpointRecord takes with an @.
Result<FoundCheckpoint> findCheckpoint(const Project* project, const std::string& reference);

} // namespace trainyard
