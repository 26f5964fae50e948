#include "app/cli/TrainingRunner.h"

#include "app/cli/JsonLines.h"
#include "app/cli/Output.h"
#include "app/cli/Progress.h"
#include "app/cli/StopSignal.h"

#include <fmt/format.h>

#include <unistd.h>

namespace trainyard::cli {

namespace {
std::string ending(const SessionOutcome& outcome) {
    if (outcome.isDiscarded)
        return "The run could not start; nothing of it was recorded.";
    if (outcome.isRefused)
        return fmt::format("Run {} did not go on; it stays {} after iteration {}.", outcome.run,
                           statusName(outcome.status), outcome.iteration);
    switch (outcome.status) {
    case RunStatus::Finished:
        return fmt::format("Run {} is finished after iteration {}.", outcome.run, outcome.iteration);
    case RunStatus::Stopped:
        return fmt::format("Run {} is stopped after iteration {}. Go on: trainyard resume {}", outcome.run,
                           outcome.iteration, outcome.run);
    default:
        return fmt::format("Run {} is {} after iteration {}.", outcome.run, statusName(outcome.status),
                           outcome.iteration);
    }
}

/// None where the run was discarded.
std::vector<CheckpointRecord> checkpointsOf(const Shared& shared, std::int64_t run) {
    const auto project = shared.openProject(Project::Mode::ReadOnly);
    const auto found = project ? (*project)->checkpoints(run) : Result<std::vector<CheckpointRecord>>(project.error());
    return found ? *found : std::vector<CheckpointRecord>();
}
} // namespace

Result<int> runTraining(const Shared& shared, TrainingRequest request) {
    auto session = TrainingSession::open(std::move(request));
    if (!session)
        return session.error();
    SessionOutcome outcome;
    {
        Progress progress(STDERR_FILENO, ::isatty(STDERR_FILENO) == 1);
        SinkFan fan;
        fan.add(progress);
        std::unique_ptr<JsonLines> json;
        if (shared.isJson) {
            json = std::make_unique<JsonLines>(STDOUT_FILENO);
            json->begin((*session)->run(), (*session)->runFolder(), (*session)->configFile());
            fan.add(*json);
        }
        progress.say(fmt::format("run {}: {}", (*session)->run(), (*session)->runFolder().string()));
        StopSignal stop([&] {
            (*session)->mailbox().put({Command::Kind::Stop});
            progress.say("Stopping after this iteration with a checkpoint; once more leaves at once.");
        });
        outcome = (*session)->train(fan);
        if (json)
            json->end(outcome.status, outcome.iteration, checkpointsOf(shared, (*session)->run()));
    }
    session->reset(); // lets go of the run before the last word
    if (!shared.isJson)
        print(ending(outcome) + "\n");
    if (outcome.status == RunStatus::Stopped && !outcome.isRefused &&
        (!outcome.error || outcome.error->kind == ErrorKind::Interrupted))
        return exitCode(ErrorKind::Interrupted);
    if (outcome.error)
        return *outcome.error;
    if (outcome.unmet)
        return *outcome.unmet;
    return outcome.status == RunStatus::Finished ? 0 : 1;
}

} // namespace trainyard::cli
