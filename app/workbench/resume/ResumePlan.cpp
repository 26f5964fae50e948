#include "app/workbench/resume/ResumePlan.h"

#include "core/config/ConfigPaths.h"

#include <filesystem>

namespace trainyard {
namespace {

void makeAbsolute(std::string& path) {
    std::error_code ignored; // without a working folder a path stays as it is written
    if (!path.empty() && path.find("://") == std::string::npos) // weights may lie on the net
        if (const auto whole = std::filesystem::absolute(path, ignored); !ignored)
            path = whole.lexically_normal().string();
}

/// `wanted` as an engine would store it: absolute paths, and what is left to the machine as it was chosen.
RunConfig settled(RunConfig wanted, const RunConfig& stored) {
    for (std::string* path : pathsOf(wanted))
        makeAbsolute(*path);
    if (wanted.train.device == "auto")
        wanted.train.device = stored.train.device;
    if (wanted.train.devices.empty() && stored.train.devices.size() < 2)
        wanted.train.devices = stored.train.devices;
    if (wanted.train.precision == "auto")
        wanted.train.precision = stored.train.precision;
    if (wanted.train.threads == 0)
        wanted.train.threads = stored.train.threads;
    return wanted;
}

} // namespace

std::vector<ResumeChange> resumeChanges(const RunConfig& stored, const RunConfig& wanted) {
    std::vector<ResumeChange> changes;
    for (const ConfigDifference& each : differences(stored, settled(wanted, stored)))
        changes.push_back({each.field->key, each.before, each.after, each.field->change != Change::Never});
    return changes;
}

std::vector<std::string> overridesOf(const std::vector<ResumeChange>& changes) {
    std::vector<std::string> overrides;
    for (const ResumeChange& change : changes)
        if (change.applies)
            overrides.push_back(change.key + "=" + change.after);
    return overrides;
}

RunConfig planned(const RunConfig& stored, const std::vector<ResumeChange>& changes, std::int64_t further) {
    ParsedConfig parsed;
    parsed.config = stored;
    applyOverrides(parsed, overridesOf(changes));
    parsed.config.solve.iterations += further;
    return parsed.config;
}

} // namespace trainyard
