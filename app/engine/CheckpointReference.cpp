#include "app/engine/CheckpointReference.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

namespace trainyard {

namespace {
using State = CheckpointState;

std::optional<std::int64_t> wholeNumber(const std::string& text) {
    std::int64_t number = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    return error == std::errc() && end == text.data() + text.size() && !text.empty() ? std::optional(number)
                                                                                     : std::nullopt;
}

bool looksLikeFile(const std::string& reference) {
    return reference.find('/') != std::string::npos || reference.ends_with(".pth");
}

Error notFound(const std::string& reference) {
    return {
        ErrorKind::Usage, "There is no such checkpoint.", reference,
        "Name it as RUN@ITERATION, RUN@best or RUN@newest, or by its file; see them with trainyard checkpoints list."};
}

/// A number alone, or a run without its checkpoint.
Error incomplete(const std::string& reference) {
    return {
        ErrorKind::Usage, "It names a run, not one of its checkpoints.", reference,
        fmt::format("Say which: {0}@ITERATION, {0}@best or {0}@newest; see them with trainyard checkpoints list {0}.",
                    reference)};
}

bool isIn(const CheckpointRecord& one, State state) {
    return one.isDeleted == (state == State::Deleted) && (state != State::Loadable || !one.isMissing);
}

/// Those of the run (0: of every run) in that state, oldest first.
Result<std::vector<CheckpointRecord>> all(const Project& project, std::int64_t run, State state) {
    auto found = project.checkpoints(run);
    if (!found)
        return found.error();
    std::erase_if(*found, [state](const CheckpointRecord& one) { return !isIn(one, state); });
    return found;
}

/// Why a run has none of those asked for: somebody removed the file, or it was never there. `iteration` empty means
/// any.
std::optional<Error> removedByHand(const Project& project, const RunRecord& run,
                                   std::optional<std::int64_t> iteration) {
    const auto listed = all(project, run.id, State::Listed);
    if (!listed)
        return listed.error();
    for (const CheckpointRecord& one : *listed)
        if (one.isMissing && iteration.value_or(one.report.iteration) == one.report.iteration)
            return Error{ErrorKind::Damaged, "The checkpoint's file is missing.",
                         (project.folder() / run.folder / one.report.path).string(),
                         "Bring the file back, or name another checkpoint."};
    return std::nullopt;
}

/// `which` is best, newest, or an iteration.
Result<CheckpointRecord> pick(const Project& project, const RunRecord& run, const std::string& which, State state) {
    const auto candidates = all(project, run.id, state);
    if (!candidates)
        return candidates.error();
    if (which != "best" && which != "newest" && !wholeNumber(which))
        return notFound(run.name + "@" + which);
    const auto number = wholeNumber(which);
    const CheckpointRecord* found = nullptr;
    for (const CheckpointRecord& one : *candidates) {
        if (number ? one.report.iteration != *number : one.isAbandoned)
            continue;
        if (which == "best" && !one.isBest)
            continue;
        if (!found || found->isAbandoned || !one.isAbandoned) // the branch that goes on comes before an abandoned one
            found = &one;
    }
    if (found)
        return *found;
    const std::string label = fmt::format("{}@{}", run.name, which);
    if (state == State::Deleted)
        return Error{ErrorKind::Usage, "No such checkpoint was deleted, or it was deleted for good.", label, ""};
    return removedByHand(project, run, number).value_or(notFound(label));
}

/// The project's checkpoint in this very file.
Result<CheckpointRecord> atPath(const Project& project, const std::string& path, State state) {
    const auto runs = project.runs();
    if (!runs)
        return runs.error();
    std::error_code unreadable; // then it equals none of ours
    const auto wanted = std::filesystem::weakly_canonical(path, unreadable);
    for (const RunRecord& run : *runs) {
        const auto own = all(project, run.id, state);
        if (!own)
            return own.error();
        for (const CheckpointRecord& one : *own)
            if (std::filesystem::weakly_canonical(project.folder() / run.folder / one.report.path, unreadable) ==
                wanted)
                return one;
    }
    return Error{ErrorKind::Usage, "It is no checkpoint of this project.", path,
                 "See them with trainyard checkpoints list."};
}
} // namespace

std::string checkpointLabel(const CheckpointRecord& checkpoint) {
    return fmt::format("{}@{}", checkpoint.run, checkpoint.report.iteration);
}

Result<CheckpointRecord> findCheckpointOfRun(const Project& project, const RunRecord& run,
                                             const std::string& reference) {
    if (reference == "best" || reference == "newest")
        return pick(project, run, reference, State::Loadable);
    if (reference.starts_with("@"))
        return pick(project, run, reference.substr(1), State::Loadable);
    if (wholeNumber(reference))
        return Error{ErrorKind::Usage, "A checkpoint is named by its iteration, with an @ before it.", reference,
                     fmt::format("Say @{}; see them with trainyard checkpoints list {}.", reference, run.id)};
    if (const auto at = reference.rfind('@'); at != std::string::npos && !looksLikeFile(reference)) {
        const auto named = project.findRun(reference.substr(0, at));
        if (named && named->id == run.id)
            return pick(project, run, reference.substr(at + 1), State::Loadable);
    }
    const auto own = all(project, run.id, State::Loadable);
    if (!own)
        return own.error();
    const std::string file = std::filesystem::path(reference).filename().string();
    for (const CheckpointRecord& one : *own)
        if (std::filesystem::path(one.report.path).filename() == file)
            return one;
    return notFound(reference);
}

Result<CheckpointRecord> findCheckpointRecord(const Project& project, const std::string& reference, State state) {
    if (looksLikeFile(reference))
        return atPath(project, reference, state);
    const auto at = reference.rfind('@');
    if (at == std::string::npos || at == 0)
        return wholeNumber(reference) || project.findRun(reference) ? incomplete(reference) : notFound(reference);
    const auto run = project.findRun(reference.substr(0, at));
    if (!run)
        return run.error();
    return pick(project, *run, reference.substr(at + 1), state);
}

Result<FoundCheckpoint> findCheckpoint(const Project* project, const std::string& reference) {
    std::error_code ignored; // what cannot be looked at is not a file to us
    if (std::filesystem::is_regular_file(reference, ignored))
        return FoundCheckpoint{reference, std::nullopt, std::nullopt};
    if (looksLikeFile(reference))
        return Error{ErrorKind::Damaged, "There is no such file.", reference, "Check the checkpoint's path."};
    if (!project)
        return notFound(reference);
    const auto whole = project->findRun(reference); // a run's own name may have an @ in it
    const auto at = whole ? std::string::npos : reference.rfind('@');
    const auto run = whole ? whole : project->findRun(reference.substr(0, at));
    if (!run)
        return run.error();
    const std::string which = at != std::string::npos ? reference.substr(at + 1) : "best";
    auto record = pick(*project, *run, which, State::Loadable);
    if (!record && at == std::string::npos)
        record = pick(*project, *run, "newest", State::Loadable);
    if (!record && at == std::string::npos)
        return removedByHand(*project, *run, std::nullopt)
            .value_or(Error{ErrorKind::Usage, "The run has no checkpoint yet.", run->name, "Let it train on first."});
    if (!record)
        return record.error();
    return FoundCheckpoint{project->folder() / run->folder / record->report.path, *run, *record};
}

} // namespace trainyard
