#include "app/engine/OpenedRun.h"

#include "app/engine/Machine.h"
#include "app/engine/RunRequest.h"
#include "app/engine/Task.h"

#include <fmt/format.h>

namespace trainyard {

namespace {
Result<std::unique_ptr<RunLock>> lockRun(const Project& project, const RunRecord& run) {
    return RunLock::acquire(project.folder() / run.folder);
}
} // namespace

Result<OpenedRun> openNewRun(const TrainingRequest& request) {
    OpenedRun opened;
    ParsedConfig whole;
    whole.config = request.config;
    whole.problems = validate(request.config);
    if (!whole.isGood())
        return whole.error();
    if (const auto named = checkRunName(request.name); !named)
        return named.error();
    const auto roots = dataRootsIn(request.project);
    if (!roots)
        return roots.error();
    const auto placed = withPlaces(request.config, *roots);
    if (!placed)
        return placed.error();
    const RunConfig& config = *placed;
    if (const auto checked = checkDatasets(config, *roots); !checked)
        return checked.error();
    if (const auto metric = bestMetricOf(*Task::make(config, {}), config); !metric)
        return metric.error();
    const auto device = resolveDevice(config);
    if (!device)
        return device.error();
    opened.config = withDevice(config, *device);
    opened.stored = withRootNames(opened.config, *roots);

    auto project = Project::open(request.project, Project::Mode::ReadWrite, true);
    if (!project)
        return project.error();
    opened.project = std::move(*project);
    NewRun run;
    run.name = request.name.empty() ? defaultRunName(config) : request.name;
    run.modelType = config.model.type;
    run.task = Task::make(config, {})->name();
    run.config = toYaml(opened.stored);
    run.overrides = request.overrides;
    run.seed = config.seed;
    run.codeVersion = "trainyard " TRAINYARD_VERSION;
    run.libraries = libraryVersions();
    run.device = cpuKind();
    run.iterations = config.solve.iterations;
    const auto record = opened.project->createRun(run);
    if (!record)
        return record.error();
    opened.record = *record;
    auto lock = lockRun(*opened.project, opened.record);
    if (!lock)
        return lock.error();
    opened.lock = std::move(*lock);
    return opened;
}

namespace {
/// What `opened.record` would go on with; nothing is changed yet.
Result<void> planAgain(const TrainingRequest& request, OpenedRun& opened) {
    const auto record = opened.project->run(*request.run);
    if (!record)
        return record.error();
    opened.record = *record;
    const auto provenance = opened.project->provenance(record->id);
    if (!provenance)
        return provenance.error();
    const ParsedConfig stored =
        parseConfig(provenance->config, (opened.project->folder() / record->folder / "config.yaml").string());
    if (!stored.isGood())
        return stored.error();
    const auto roots = dataRootsOf(*opened.project);
    if (!roots)
        return roots.error();
    auto config = changedConfig(stored.config, request.overrides, *roots, runLabel(*record));
    if (!config)
        return config.error();
    config->solve.iterations += request.further;
    if (record->status == RunStatus::Finished && !request.fromCheckpoint &&
        record->iteration >= config->solve.iterations)
        return Error{ErrorKind::Usage, fmt::format("It is finished already, after iteration {}.", record->iteration),
                     runLabel(*record), fmt::format("To train on: trainyard resume {} --further N.", record->id)};
    if (const auto checked = checkDatasets(*config, *roots); !checked)
        return checked.error();
    if (const auto metric = bestMetricOf(*Task::make(*config, {}), *config); !metric)
        return metric.error();
    const auto device = resolveDevice(*config);
    if (!device)
        return device.error();
    opened.config = withDevice(*config, *device);
    opened.stored = withRootNames(opened.config, *roots);
    opened.changes = differences(withKnownPlaces(stored.config, *roots), opened.config);
    return {};
}
} // namespace

Result<OpenedRun> openRunAgain(const TrainingRequest& request) {
    OpenedRun opened;
    auto project = Project::open(request.project, Project::Mode::ReadWrite);
    if (!project)
        return project.error();
    opened.project = std::move(*project);
    // Planned once before the lock is taken, so that a refusal leaves every file as it was, and once more under it: the
    // run's last owner may have written until just now.
    if (const auto planned = planAgain(request, opened);
        !planned && !RunLock::isHeld(opened.project->folder() / opened.record.folder))
        return planned.error();
    auto lock = lockRun(*opened.project, opened.record);
    if (!lock)
        return lock.error();
    opened.lock = std::move(*lock);
    if (const auto planned = planAgain(request, opened); !planned)
        return planned.error();
    return opened;
}

} // namespace trainyard
