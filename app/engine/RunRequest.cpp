#include "app/engine/RunRequest.h"

#include "core/config/ConfigFile.h"

#include <fmt/format.h>

#include <filesystem>

namespace trainyard {

std::string runLabel(const RunRecord& run) {
    return fmt::format("run {} \"{}\"", run.id, run.name);
}

std::string defaultRunName(const RunConfig& config) {
    if (config.data.train.empty())
        return config.model.type;
    const DatasetConfig& first = config.data.train.front();
    if (first.format == "rendered-words")
        return config.model.type + "-rendered";
    std::filesystem::path path = std::filesystem::path(first.path).lexically_normal();
    if (!path.has_filename())
        path = path.parent_path();
    std::string name = path.stem().string();
    if ((name == "train" || name == "training" || name == "images") && path.has_parent_path())
        name = path.parent_path().filename().string();
    return config.model.type + "-" + name;
}

Result<RunConfig> changedConfig(const RunConfig& stored, const std::vector<std::string>& overrides,
                                const DataRoots& roots, const std::string& run) {
    ParsedConfig parsed;
    parsed.config = stored;
    applyOverrides(parsed, overrides);
    if (!parsed.isGood())
        return parsed.error();
    const auto changed = withPlaces(parsed.config, roots, run);
    if (!changed)
        return changed.error();
    for (const ConfigDifference& difference : differences(withKnownPlaces(stored, roots), *changed))
        if (difference.field->change == Change::Never)
            return Error{ErrorKind::Usage,
                         fmt::format("It cannot change on resume (it is {} in this run).", difference.before),
                         difference.field->key, "Start a new run for that."};
    return changed;
}

} // namespace trainyard
