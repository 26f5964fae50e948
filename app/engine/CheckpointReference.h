#pragma once

#include "core/base/Error.h"
#include "core/project/Project.h"

#include <filesystem>
#include <optional>
#include <string>

namespace trainyard {

// What a person may type for a checkpoint: RUN@ITERATION, RUN@best, RUN@newest, or its file. A number alone is a run,
// never a checkpoint.

/// A checkpoint that a person named, and the run it belongs to where it is one of the project's.
struct FoundCheckpoint {
    std::filesystem::path file;
    std::optional<RunRecord> run;
    std::optional<CheckpointRecord> record;
};

/// Which of a run's checkpoints may be meant.
enum class CheckpointState {
    Loadable, ///< its file is there
    Listed,   ///< not deleted
    Deleted,  ///< and can be brought back
};

/// "3@800", which findCheckpointRecord reads back.
std::string checkpointLabel(const CheckpointRecord& checkpoint);

/// One of the project's own checkpoints.
Result<CheckpointRecord> findCheckpointRecord(const Project& project, const std::string& reference,
                                              CheckpointState state);

/// One of a known run, where @ITERATION, best, newest and a file's name are enough.
Result<CheckpointRecord> findCheckpointOfRun(const Project& project, const RunRecord& run,
                                             const std::string& reference);

/// A checkpoint to load: a file anywhere (then no project is needed and `project` may be null), RUN (its best
/// checkpoint, else its newest), or what findCheckpointRecord takes with an @.
Result<FoundCheckpoint> findCheckpoint(const Project* project, const std::string& reference);

} // namespace trainyard
