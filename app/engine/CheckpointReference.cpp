#include "app/engine/CheckpointReference.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

namespace trainyard {

namespace {
std::optional<std::int64_t> wholeNumber(const std::string& text) {
    std::int64_t number = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    return error == std::errc() && end == text.data() + text.size() && !text.empty() ? std::optional(number)
                                                                                     : std::nullopt;
}

Error notFound(const std::string& reference) {
    return {
        ErrorKind::Usage, "There is no such checkpoint.", reference,
        "Name it by its number or as RUN@ITERATION, RUN@best, RUN@newest; see them with trainyard checkpoints list."};
}

/// Those of the run that can be loaded, oldest first.
Result<std::vector<CheckpointRecord>> usable(const Project& project, std::int64_t run) {
    auto all = project.checkpoints(run);
    if (!all)
        return all.error();
    std::erase_if(*all, [](const CheckpointRecord& one) { return one.isDeleted || one.isMissing; });
    return all;
}

/// Why a run has none of those asked for: somebody removed the file, or it was never there. `iteration` empty means
/// any.
std::optional<Error> removedByHand(const Project& project, const RunRecord& run,
                                   std::optional<std::int64_t> iteration) {
    const auto all = project.checkpoints(run.id);
    if (!all)
        return all.error();
    for (const CheckpointRecord& one : *all)
        if (one.isMissing && !one.isDeleted && iteration.value_or(one.report.iteration) == one.report.iteration)
            return Error{ErrorKind::Damaged, "The checkpoint's file is missing.",
                         (project.folder() / run.folder / one.report.path).string(),
                         "Bring the file back, or name another checkpoint."};
    return std::nullopt;
}

/// `which` is best, newest, or an iteration.
Result<CheckpointRecord> pick(const Project& project, const RunRecord& run, const std::string& which) {
    auto all = usable(project, run.id);
    if (!all)
        return all.error();
    if (which != "best" && which != "newest" && !wholeNumber(which))
        return notFound(run.name + "@" + which);
    const auto number = wholeNumber(which);
    const CheckpointRecord* found = nullptr;
    for (const CheckpointRecord& one : *all) {
        if (number ? one.report.iteration != *number : one.isAbandoned)
            continue;
        if (which == "best" && !one.isBest)
            continue;
        if (!found || found->isAbandoned || !one.isAbandoned) // the branch that goes on comes before an abandoned one
            found = &one;
    }
    if (!found)
        return removedByHand(project, run, number).value_or(notFound(fmt::format("{}@{}", run.name, which)));
    return *found;
}
} // namespace

Result<CheckpointRecord> findCheckpointOfRun(const Project& project, const RunRecord& run,
                                             const std::string& reference) {
    if (reference == "best" || reference == "newest")
        return pick(project, run, reference);
    if (reference.starts_with("@"))
        return pick(project, run, reference.substr(1));
    auto all = usable(project, run.id);
    if (!all)
        return all.error();
    const auto number = wholeNumber(reference);
    const std::string file = std::filesystem::path(reference).filename().string();
    for (const CheckpointRecord& one : *all)
        if (number ? one.id == *number : std::filesystem::path(one.report.path).filename() == file)
            return one;
    return notFound(reference);
}

Result<CheckpointRecord> findCheckpointRecord(const Project& project, const std::string& reference) {
    if (const auto at = reference.rfind('@'); at != std::string::npos && at > 0) {
        const auto run = project.findRun(reference.substr(0, at));
        if (!run)
            return run.error();
        return pick(project, *run, reference.substr(at + 1));
    }
    const auto number = wholeNumber(reference);
    if (!number)
        return notFound(reference);
    return project.checkpoint(*number);
}

Result<FoundCheckpoint> findCheckpoint(const Project* project, const std::string& reference) {
    std::error_code ignored; // what cannot be looked at is not a file to us
    if (std::filesystem::is_regular_file(reference, ignored))
        return FoundCheckpoint{reference, std::nullopt, std::nullopt};
    if (reference.find('/') != std::string::npos || reference.ends_with(".pth"))
        return Error{ErrorKind::Damaged, "There is no such file.", reference, "Check the checkpoint's path."};
    if (!project)
        return notFound(reference);
    const auto whole = project->findRun(reference); // a run's own name may have an @ in it
    const auto at = whole ? std::string::npos : reference.rfind('@');
    const auto run = whole ? whole : project->findRun(reference.substr(0, at));
    if (!run)
        return run.error();
    auto record =
        at != std::string::npos ? pick(*project, *run, reference.substr(at + 1)) : pick(*project, *run, "best");
    if (!record && at == std::string::npos)
        record = pick(*project, *run, "newest");
    if (!record && at == std::string::npos)
        return removedByHand(*project, *run, std::nullopt)
            .value_or(Error{ErrorKind::Usage, "The run has no checkpoint yet.", run->name, "Let it train on first."});
    if (!record)
        return record.error();
    return FoundCheckpoint{project->folder() / run->folder / record->report.path, *run, *record};
}

} // namespace trainyard
