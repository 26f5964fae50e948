#include "app/engine/DataPaths.h"

#include "core/config/ConfigFile.h"
#include "core/config/ConfigPaths.h"
#include "core/data/Dataset.h"
#include "core/fetch/Url.h"

#include <fmt/format.h>

#include <functional>

namespace trainyard {

namespace {
using PathChange = std::function<Result<std::string>(const std::string&)>;

/// Every path of the configuration through `change`; empty ones stay empty.
Result<RunConfig> changed(RunConfig config, const PathChange& change) {
    for (std::string* path : pathsOf(config)) {
        if (path->empty())
            continue;
        auto now = change(*path);
        if (!now)
            return now.error();
        *path = std::move(*now);
    }
    return config;
}

std::string absolute(const std::string& path) {
    return path.empty() || isUrl(path) ? path : std::filesystem::absolute(path).lexically_normal().string();
}

Error inRun(Error error, const std::string& run) {
    if (run.empty())
        return error;
    const std::string root = DataRoots::nameIn(error.where).value_or("");
    error.what = fmt::format("Its data lies in {}, and the project has no data root \"{}\".", error.where, root);
    error.where = run;
    return error;
}

/// What to do about a path that is not there: one that goes through a root is re-pointed with it.
std::string remedyFor(const std::string& path, const DataRoots& roots) {
    const auto root = DataRoots::nameIn(roots.named(path));
    return root ? fmt::format("Check the path, or say where the root \"{}\" lies now: {}.", *root,
                              DataRoots::command(*root))
                : "Check the path of the data; where it was moved, give its new place: data.train=[{path: NEW}], or "
                  "data.validation.";
}

Result<void> checkDataset(const DatasetConfig& entry, const DataRoots& roots) {
    if (entry.format == "rendered-words")
        return {};
    std::error_code unreadable;
    if (!std::filesystem::exists(entry.path, unreadable))
        return Error{ErrorKind::Data, "There is no such file or folder.", entry.path, remedyFor(entry.path, roots)};
    if (entry.format != "auto")
        return {};
    const auto format = findFormat(entry.path);
    if (!format)
        return format.error();
    return {};
}
} // namespace

Result<DataRoots> dataRootsOf(const Project& project) {
    auto roots = project.dataRoots();
    if (!roots)
        return roots.error();
    return DataRoots(std::move(*roots));
}

Result<DataRoots> dataRootsIn(const std::filesystem::path& folder) {
    std::error_code unreadable; // then opening it says why
    if (!std::filesystem::exists(folder / "project.sqlite", unreadable) && !unreadable)
        return DataRoots();
    const auto project = Project::open(folder, Project::Mode::ReadOnly);
    if (!project)
        return project.error();
    return dataRootsOf(**project);
}

Result<RunConfig> withPlaces(RunConfig config, const DataRoots& roots, const std::string& run) {
    return changed(std::move(config), [&](const std::string& path) -> Result<std::string> {
        const auto place = roots.resolved(path);
        if (!place)
            return inRun(place.error(), run);
        return absolute(*place);
    });
}

Result<DatasetConfig> withPlaces(DatasetConfig entry, const DataRoots& roots) {
    const auto place = roots.resolved(entry.path);
    if (!place)
        return place.error();
    entry.path = *place;
    return entry;
}

RunConfig withKnownPlaces(RunConfig config, const DataRoots& roots) {
    return *changed(std::move(config), [&](const std::string& path) -> Result<std::string> {
        const auto place = roots.resolved(path);
        return place ? absolute(*place) : path;
    });
}

RunConfig withRootNames(RunConfig config, const DataRoots& roots) {
    return *changed(std::move(config),
                    [&](const std::string& path) -> Result<std::string> { return roots.named(path); });
}

Result<void> checkDatasets(const RunConfig& config, const DataRoots& roots) {
    if (config.data.train.empty())
        return Error{ErrorKind::Usage, "There is no training data.", "data.train",
                     "Name some with --data PATH, or in the configuration."};
    for (const auto* entries : {&config.data.train, &config.data.validation})
        for (const DatasetConfig& entry : *entries)
            if (const auto checked = checkDataset(entry, roots); !checked)
                return checked.error();
    return {};
}

Result<std::vector<std::int64_t>> runsInRoot(const Project& project, const std::string& name) {
    const auto runs = project.runs();
    if (!runs)
        return runs.error();
    std::vector<std::int64_t> found;
    for (const RunRecord& run : *runs) {
        const auto provenance = project.provenance(run.id);
        if (!provenance)
            return provenance.error();
        if (DataRoots::namesIn(provenance->config).contains(name))
            found.push_back(run.id);
    }
    return found;
}

Result<std::vector<std::int64_t>> adoptRoot(Project& project, const std::string& name) {
    const auto roots = dataRootsOf(project);
    if (!roots)
        return roots.error();
    const auto runs = project.runs();
    if (!runs)
        return runs.error();
    for (const RunRecord& run : *runs) {
        const auto provenance = project.provenance(run.id);
        if (!provenance)
            return provenance.error();
        const ParsedConfig stored = parseConfig(provenance->config, run.folder);
        const RunConfig named = withRootNames(stored.config, *roots);
        if (!stored.isGood() || named == stored.config || RunLock::isHeld(project.folder() / run.folder))
            continue; // one that this program cannot read stays as it is; resuming it says why
        if (const auto set = project.setConfig(run.id, toYaml(named)); !set)
            return set.error();
    }
    return runsInRoot(project, name);
}

} // namespace trainyard
