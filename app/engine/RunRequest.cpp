#include "app/engine/RunRequest.h"

#include "core/config/ConfigFile.h"
#include "core/data/Dataset.h"

#include <fmt/format.h>

#include <filesystem>

namespace trainyard {

namespace {
void makeAbsolute(std::string& path) {
    if (!path.empty())
        path = std::filesystem::absolute(path).lexically_normal().string();
}

Result<void> checkDataset(const DatasetConfig& entry) {
    if (entry.format == "rendered-words")
        return {};
    std::error_code unreadable;
    if (!std::filesystem::exists(entry.path, unreadable))
        return Error{ErrorKind::Data, "There is no such file or folder.", entry.path, "Check the path of the data."};
    if (entry.format != "auto")
        return {};
    const auto format = findFormat(entry.path);
    if (!format)
        return format.error();
    return {};
}
} // namespace

RunConfig withAbsolutePaths(RunConfig config) {
    for (auto* entries : {&config.data.train, &config.data.validation})
        for (DatasetConfig& entry : *entries) {
            makeAbsolute(entry.path);
            makeAbsolute(entry.annotations);
        }
    makeAbsolute(config.data.rendered.words);
    makeAbsolute(config.data.rendered.backgrounds);
    makeAbsolute(config.model.weights);
    return config;
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

Result<void> checkDatasets(const RunConfig& config) {
    if (config.data.train.empty())
        return Error{ErrorKind::Usage, "There is no training data.", "data.train",
                     "Name some with --data PATH, or in the configuration."};
    for (const auto* entries : {&config.data.train, &config.data.validation})
        for (const DatasetConfig& entry : *entries)
            if (const auto checked = checkDataset(entry); !checked)
                return checked.error();
    return {};
}

Result<RunConfig> changedConfig(const RunConfig& stored, const std::vector<std::string>& overrides) {
    ParsedConfig parsed;
    parsed.config = stored;
    applyOverrides(parsed, overrides);
    if (!parsed.isGood())
        return parsed.error();
    const RunConfig changed = withAbsolutePaths(parsed.config);
    for (const ConfigDifference& difference : differences(stored, changed))
        if (difference.field->change == Change::Never)
            return Error{ErrorKind::Usage,
                         fmt::format("It cannot change on resume (it is {} in this run).", difference.before),
                         difference.field->key, "Start a new run for that."};
    return changed;
}

} // namespace trainyard
