// What is wrong between the index and the run folders, told and not touched.
#include "core/project/ProjectDatabase.h"
#include "core/project/ProjectRoots.h"
#include "core/project/RunFolder.h"
#include "core/project/SeriesDatabase.h"
#include "core/project/SeriesSalvage.h"

#include "core/base/AtomicFile.h"

#include <fmt/format.h>
#include <set>

namespace trainyard {
namespace {

namespace fs = std::filesystem;

std::vector<std::string> damagesOf(const Database& database) {
    std::vector<std::string> damages;
    auto rows = database.statement("PRAGMA integrity_check(10)");
    while (rows.executeStep())
        if (const std::string text = rows.getColumn(0).getString(); text != "ok")
            damages.push_back(fmt::format("{} is damaged: {}.", database.file().string(), text));
    return damages;
}

void checkSeries(const fs::path& folder, std::vector<std::string>& said) {
    const auto database = Database::open(folder / runfile::kSeries, Access::ReadOnly, kSeriesKind);
    if (!database) {
        said.push_back(database.error().sentence());
        return;
    }
    try {
        const auto damages = damagesOf(**database);
        said.insert(said.end(), damages.begin(), damages.end());
        SeriesSalvage salvage((*database)->handle());
        std::int64_t missing = 0;
        for (const auto& lane : salvage.lanes())
            missing += salvage.chunks(lane.id, [](auto) {}) + salvage.tail(lane.id, [](auto) {});
        if (missing > 0)
            said.push_back(fmt::format("{} points of {} cannot be read.", missing, (*database)->file().string()));
    } catch (const SQLite::Exception& exception) {
        said.push_back((*database)->error(exception).sentence());
    }
}

void checkCheckpoints(const Project& project, const RunRecord& run, std::vector<std::string>& said) {
    const auto rows = project.checkpoints(run.id);
    if (!rows) {
        said.push_back(rows.error().sentence());
        return;
    }
    const auto folder = project.folder() / run.folder;
    std::set<std::string> listed;
    for (const CheckpointRecord& row : *rows) {
        listed.insert(row.report.path);
        std::error_code failed;
        const auto size = fs::file_size(folder / row.report.path, failed);
        if (row.isMissing && !row.isDeleted)
            said.push_back(fmt::format("The checkpoint {} of run {} is missing.", row.report.path, run.id));
        else if (!row.isMissing && !failed && std::int64_t(size) != row.report.bytes)
            said.push_back(fmt::format("The checkpoint {} of run {} has {} bytes instead of {}.", row.report.path,
                                       run.id, size, row.report.bytes));
    }
    for (const auto& [path, iteration] : checkpointFiles(folder))
        if (!listed.contains(path))
            said.push_back(fmt::format("The checkpoint {} of run {} is not in the index.", path, run.id));
}

void checkRun(const Project& project, const RunRecord& run, std::vector<std::string>& said) {
    const auto folder = project.folder() / run.folder;
    std::error_code failed;
    if (!fs::is_directory(folder, failed)) {
        said.push_back(fmt::format("The folder {} of run {} is missing.", run.folder, run.id));
        return;
    }
    const auto text = readFile(folder / runfile::kRun);
    if (!text || !nlohmann::json::accept(*text))
        said.push_back(fmt::format("{} is {}.", (folder / runfile::kRun).string(), text ? "damaged" : "missing"));
    if (!fs::exists(folder / runfile::kConfig, failed))
        said.push_back(fmt::format("{} is missing.", (folder / runfile::kConfig).string()));
    checkSeries(folder, said);
    checkCheckpoints(project, run, said);
}

/// Of an index of an older version `database` is a copy that has been brought up to date.
void checkRoots(const Database& database, std::vector<std::string>& said) {
    const auto found = database.read([&]() -> Result<std::vector<std::string>> {
        std::vector<std::string> sentences;
        const std::vector<Row> rows = rootRows(database);
        std::set<std::string> names;
        for (const Row& row : rows)
            names.insert(textIn(row, "name"));
        const auto copy = readRootsFile(database.file().parent_path());
        std::error_code failed;
        if (!rows.empty() || fs::exists(database.file().parent_path() / kRootsFile, failed)) {
            if (!copy)
                sentences.push_back(copy.error().sentence());
            else if (*copy != rows)
                sentences.push_back(fmt::format("{} names other data roots than the index. {}", kRootsFile,
                                                "Set one of them again, which writes it anew."));
        }
        auto runs = database.statement("SELECT id, config FROM run WHERE is_deleted = 0 ORDER BY id");
        while (runs.executeStep())
            for (const std::string& name : DataRoots::namesIn(runs.getColumn(1).getString()))
                if (!names.contains(name))
                    sentences.push_back(unknownRoot(runs.getColumn(0).getInt64(), name));
        return sentences;
    });
    if (!found)
        said.push_back(found.error().sentence());
    else
        said.insert(said.end(), found->begin(), found->end());
}

} // namespace

Result<std::vector<std::string>> checkProject(const fs::path& folder) {
    std::vector<std::string> said;
    std::error_code failed;
    const auto file = folder / kProjectFile;
    if (!fs::exists(file, failed) && runFolders(folder).empty())
        return Error{ErrorKind::Damaged, "There is no project here.", folder.string(), "Name another folder."};
    const auto database = Database::open(file, Access::ReadOnly, kProjectKind);
    if (!database)
        return std::vector<std::string>{database.error().sentence()};
    const auto damages = (*database)->read([&]() -> Result<std::vector<std::string>> { return damagesOf(**database); });
    if (!damages)
        return std::vector<std::string>{damages.error().sentence()};
    said = *damages;
    const auto project = Project::open(folder, Project::Mode::ReadOnly);
    const auto runs = project ? (*project)->runs() : Result<std::vector<RunRecord>>(project.error());
    if (!runs) {
        said.push_back(runs.error().sentence());
        return said;
    }
    for (const RunRecord& run : *runs)
        checkRun(**project, run, said);
    const auto known = (*database)->read([&]() -> Result<std::set<std::string>> {
        std::set<std::string> folders;
        auto rows = (*database)->statement("SELECT folder FROM run");
        while (rows.executeStep())
            folders.insert(rows.getColumn(0).getString());
        return folders;
    });
    checkRoots(**database, said);
    for (const std::string& run : runFolders(folder))
        if (known && !known->contains(run) && !isUnborn(folder / run))
            said.push_back(fmt::format("The folder {} is not in the index. {}", run, kProjectKind.remedy));
    return said;
}

} // namespace trainyard
