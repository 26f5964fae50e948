#include "app/engine/ResumePoint.h"

#include "core/train/CheckpointFile.h"

#include <fmt/format.h>

#include <algorithm>

namespace trainyard {

namespace {
/// Whether the file reads back well; the Error says what is wrong with it.
Result<void> check(const std::filesystem::path& file) {
    std::error_code ignored; // what cannot be looked at cannot be read either
    if (!std::filesystem::exists(file, ignored))
        return Error{ErrorKind::Damaged, "The checkpoint's file is gone.", file.string(), ""};
    const auto state = readCheckpoint(file);
    if (!state)
        return state.error();
    return {};
}
} // namespace

Result<ResumePoint> findResumePoint(const Project& project, const RunRecord& run, std::optional<std::int64_t> wanted) {
    auto checkpoints = project.checkpoints(run.id);
    if (!checkpoints)
        return checkpoints.error();
    std::stable_sort(
        checkpoints->begin(), checkpoints->end(),
        [](const CheckpointRecord& a, const CheckpointRecord& b) { return a.report.iteration > b.report.iteration; });
    const std::filesystem::path folder = project.folder() / run.folder;
    ResumePoint point;
    for (const CheckpointRecord& one : *checkpoints) {
        if (wanted ? one.id != *wanted : one.isAbandoned || one.isDeleted)
            continue;
        const std::filesystem::path file = folder / one.report.path;
        const auto checked = check(file);
        if (checked) {
            point.iteration = one.report.iteration;
            point.file = file;
            return point;
        }
        if (wanted)
            return checked.error();
        point.warnings.push_back(checked.error().sentence() + " The one before it is used.");
    }
    if (wanted)
        return Error{ErrorKind::Usage, fmt::format("The run has no checkpoint {}.", *wanted), run.name,
                     fmt::format("See trainyard checkpoints list {}.", run.id)};
    if (!point.warnings.empty())
        return Error{ErrorKind::Damaged, "None of its checkpoints can be read.",
                     fmt::format("run {} \"{}\"", run.id, run.name), "Start a new run."};
    return point;
}

} // namespace trainyard
