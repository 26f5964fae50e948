#pragma once

#include "core/base/Error.h"
#include "core/config/RunConfig.h"
#include "core/telemetry/Command.h"
#include "core/telemetry/RunSink.h"

#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace trainyard {

/// What a person asked for: a new run, or the continuation of one. A plain value that window and engine share.
struct TrainingRequest {
    std::filesystem::path project;
    // a new run
    RunConfig config;
    std::vector<std::string> overrides; ///< as typed, for the record; already applied to `config`
    std::string name;                   ///< empty: from the model's type and the data
    // or a run that goes on
    std::optional<std::int64_t> run;
    std::optional<std::int64_t> fromCheckpoint; ///< its id; the newest good one otherwise
    std::int64_t further = 0;                   ///< iterations beyond the plan
    bool acceptChanges = false;                 ///< go on though data, LibTorch or machine changed
};

/// How it ended, for people and for exit codes.
struct SessionOutcome {
    RunStatus status = RunStatus::Failed;
    std::int64_t run = 0;
    std::int64_t iteration = 0;
    std::optional<Error> error;
    std::optional<Error> unmet; ///< it finished, but not with the metrics of `evaluate.expected`
    bool isDiscarded = false;   ///< it never could start, so nothing of it was kept
    bool isRefused = false;     ///< a run that could not go on: it is what it was, `status` too
};

/// Puts a run together (data, loader, model, trainer, recorder, evaluation) and runs it. Both programs use it.
class TrainingSession {
public:
    /// Opens the project, makes or finds the run and takes its lock. Quick: no data is read yet.
    static Result<std::unique_ptr<TrainingSession>> open(TrainingRequest request);
    virtual ~TrainingSession() = default;

    virtual std::int64_t run() const = 0;
    virtual std::filesystem::path runFolder() const = 0;
    virtual std::filesystem::path configFile() const = 0; ///< the resolved configuration
    virtual CommandMailbox& mailbox() = 0;
    /// Reads the data, builds, trains, until the end; `sink` hears everything beside the recorder. A new run that never
    /// could start (its data cannot be read, its weights do not fit) leaves nothing behind, as one that is refused in
    /// `open`: there is nothing in it to look at or to go on with.
    virtual SessionOutcome train(RunSink& sink) = 0;
};

} // namespace trainyard
