#include "core/project/RunRemains.h"

#include "core/base/AtomicFile.h"
#include "core/project/RunFolder.h"
#include "core/project/Series.h"

#include <algorithm>
#include <fmt/format.h>
#include <set>
#include <sstream>
#include <sys/stat.h>

namespace trainyard {
namespace {

namespace fs = std::filesystem;

std::vector<Row> listIn(const nlohmann::json& json, const char* key) {
    std::vector<Row> rows;
    if (const auto found = json.find(key); found != json.end() && found->is_array())
        std::copy_if(found->begin(), found->end(), std::back_inserter(rows),
                     [](const nlohmann::json& row) { return row.is_object(); });
    return rows;
}

/// The rows of a run file, or nothing where it is gone or no run file.
nlohmann::json readRunFile(const fs::path& file, std::vector<std::string>& troubles) {
    const auto text = readFile(file);
    auto json = text ? nlohmann::json::parse(*text, nullptr, false) : nlohmann::json();
    if (json.is_object() && json.contains("run") && json["run"].is_object())
        return json;
    troubles.push_back(fmt::format("{} is {}.", file.string(), text ? "damaged" : "missing"));
    return nullptr;
}

/// A line that a kill cut off is left out; one that a repeated transaction wrote twice counts once.
void readHistory(const fs::path& file, RunRemains& remains) {
    const auto text = readFile(file);
    if (!text)
        return; // no event yet
    std::set<std::string> seen;
    std::istringstream lines(*text);
    for (std::string line; std::getline(lines, line);) {
        const auto json = nlohmann::json::parse(line, nullptr, false);
        if (!json.is_object() || !json.contains("row") || !json["row"].is_object() || !seen.insert(line).second)
            continue;
        if (textIn(json, "table") == "event")
            remains.events.push_back(json["row"]);
        if (textIn(json, "table") == "evaluation")
            remains.evaluations.push_back(json["row"]);
    }
}

/// The progress row is updated more often than run.json is written.
void takeNewerProgress(Row& run, const Row& salvaged) {
    if (integerIn(salvaged, "updated") < integerIn(run, "updated"))
        return;
    for (const char* column : {"iteration", "loss", "seconds", "updated"})
        if (salvaged.contains(column))
            run[column] = salvaged[column];
}

void askSeries(const fs::path& folder, RunRemains& remains) {
    const auto reader = SeriesReader::open(folder);
    if (!reader) {
        remains.troubles.push_back(reader.error().sentence());
        return;
    }
    if (const auto range = (*reader)->range("loss"))
        remains.run["iteration"] = std::max(integerIn(remains.run, "iteration"), range->second);
}

void addUnlistedCheckpoints(const fs::path& folder, RunRemains& remains) {
    std::set<std::string> listed;
    for (const Row& row : remains.checkpoints)
        listed.insert(textIn(row, "path"));
    for (const auto& [path, iteration] : checkpointFiles(folder)) {
        struct stat status {};
        if (listed.contains(path) || ::stat((folder / path).c_str(), &status) != 0)
            continue;
        remains.checkpoints.push_back({{"path", path},
                                       {"iteration", iteration},
                                       {"bytes", std::int64_t(status.st_size)},
                                       {"wall", std::int64_t(status.st_mtim.tv_sec) * 1000000}});
    }
}

} // namespace

RunRemains RunRemains::gather(const fs::path& project, const std::string& folder, const Salvage& salvage) {
    RunRemains remains;
    const auto path = project / folder;
    const Row salvaged = salvage.runIn(folder);
    const std::int64_t salvagedId = integerIn(salvaged, "id");
    const auto file = readRunFile(path / runfile::kRun, remains.troubles);
    remains.hasRunFile = file.is_object();
    if (remains.hasRunFile) {
        remains.run = file["run"];
        remains.tags = listIn(file, "tags");
        remains.sessions = listIn(file, "sessions");
        remains.checkpoints = listIn(file, "checkpoints");
        if (salvaged.is_object())
            takeNewerProgress(remains.run, salvaged);
    } else if (salvaged.is_object()) {
        remains.run = salvaged;
        remains.tags = salvage.rowsOf("tag", salvagedId);
        remains.sessions = salvage.rowsOf("session", salvagedId);
        remains.checkpoints = salvage.rowsOf("checkpoint", salvagedId);
    } else {
        const std::string name = path.filename().string();
        remains.run = {{"name", name.substr(name.find('-') + 1)}, {"status", int(RunStatus::Stopped)}};
    }
    if (textIn(remains.run, "name").empty())
        remains.run["name"] = path.filename().string();
    if (const auto config = readFile(path / runfile::kConfig))
        remains.run["config"] = *config;
    else
        remains.troubles.push_back(config.error().sentence());
    readHistory(path / runfile::kHistory, remains);
    if (auto events = salvage.rowsOf("event", salvagedId); events.size() > remains.events.size())
        remains.events = std::move(events);
    if (auto evaluations = salvage.rowsOf("evaluation", salvagedId); evaluations.size() > remains.evaluations.size())
        remains.evaluations = std::move(evaluations);
    askSeries(path, remains);
    addUnlistedCheckpoints(path, remains);
    return remains;
}

} // namespace trainyard
