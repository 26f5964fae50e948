#include "app/engine/AutoResume.h"

#include "app/engine/RunRequest.h"
#include "core/config/ConfigFile.h"

#include <algorithm>

namespace trainyard {

namespace {
/// The wanted configuration where `auto` means what the run has settled already.
RunConfig settledAs(RunConfig wanted, const RunConfig& stored) {
    if (wanted.train.device == "auto" && wanted.train.devices.empty()) {
        wanted.train.device = stored.train.device;
        wanted.train.devices = stored.train.devices;
    } else if (!wanted.train.devices.empty()) {
        wanted.train.device = stored.train.device; // not used beside a list
    }
    if (wanted.train.precision == "auto")
        wanted.train.precision = stored.train.precision;
    if (wanted.train.threads == 0)
        wanted.train.threads = stored.train.threads;
    return wanted;
}

std::optional<RunRecord> newestOfName(const std::vector<RunRecord>& runs, const std::string& name) {
    const auto found = std::find_if(runs.rbegin(), runs.rend(), [&](const RunRecord& run) { return run.name == name; });
    return found == runs.rend() ? std::nullopt : std::optional(*found);
}
} // namespace

Result<AutoResume> findAutoResume(const TrainingRequest& request) {
    AutoResume found{std::nullopt, request};
    const auto roots = dataRootsIn(request.project);
    if (!roots)
        return roots.error();
    const auto wanted = withPlaces(request.config, *roots);
    if (!wanted)
        return wanted.error();
    found.request.config = *wanted;
    std::error_code unreadable; // then opening it says why
    if (!std::filesystem::exists(request.project / "project.sqlite", unreadable) && !unreadable)
        return found;
    auto project = Project::open(request.project, Project::Mode::ReadOnly);
    if (!project)
        return project.error();
    const auto runs = (*project)->runs();
    if (!runs)
        return runs.error();
    const auto run = newestOfName(*runs, request.name.empty() ? defaultRunName(*wanted) : request.name);
    if (!run)
        return found;
    if (RunLock::isHeld((*project)->folder() / run->folder))
        return Error{ErrorKind::Damaged, "Another process is training this run.", runLabel(*run),
                     "Stop it there first."};
    const auto provenance = (*project)->provenance(run->id);
    if (!provenance)
        return provenance.error();
    const RunConfig stored = withKnownPlaces(parseConfig(provenance->config, run->folder).config, *roots);
    std::vector<std::string> overrides;
    for (const ConfigDifference& difference : differences(stored, settledAs(*wanted, stored)))
        overrides.push_back(difference.field->key + "=" + difference.after);
    if (const auto changed = changedConfig(stored, overrides, *roots, runLabel(*run)); !changed)
        return changed.error();
    if (run->status == RunStatus::Finished && run->iteration >= found.request.config.solve.iterations) {
        found.finished = run;
        return found;
    }
    found.request.run = run->id;
    found.request.overrides = overrides;
    return found;
}

} // namespace trainyard
