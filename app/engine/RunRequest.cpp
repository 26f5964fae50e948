#include "app/engine/RunRequest.h"

#include "core/config/ConfigFile.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <string_view>

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

Result<void> checkRunName(const std::string& name) {
    const auto isNumber = [](std::string_view text) {
        return !text.empty() && std::all_of(text.begin(), text.end(), [](char c) { return c >= '0' && c <= '9'; });
    };
    const std::string_view view = name;
    const auto at = view.rfind('@');
    const std::string_view end = at == std::string_view::npos ? std::string_view() : view.substr(at + 1);
    const std::string remedy = "Choose another name, with a letter in it and no @ before its end.";
    if (isNumber(view.starts_with('#') ? view.substr(1) : view))
        return Error{ErrorKind::Usage,
                     fmt::format("A run cannot be named \"{}\": that is the run of this number.", name), "--name",
                     remedy};
    if (at != std::string_view::npos && (isNumber(end) || end == "best" || end == "newest"))
        return Error{ErrorKind::Usage,
                     fmt::format("A run cannot be named \"{}\": that is a checkpoint of another run.", name), "--name",
                     remedy};
    return {};
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
