// A new run: its number, its row and its folder.
#include "core/project/ProjectDatabase.h"

#include "core/base/AtomicFile.h"
#include "core/base/Clock.h"
#include "core/project/RunFolder.h"
#include "core/project/Series.h"

#include <algorithm>
#include <fmt/format.h>

namespace trainyard {

/// Above every number ever given in the index and every folder on disk: an old run's folder is never met, not even when
/// the index was lost.
std::int64_t ProjectDatabase::nextNumber() const {
    std::int64_t highest = m_database->number("SELECT coalesce(max(seq), 0) FROM sqlite_sequence WHERE name = 'run'");
    for (const std::string& folder : runFolders(m_folder))
        highest = std::max(highest, runNumber(std::filesystem::path(folder).filename().string()).value_or(0));
    return highest + 1;
}

Result<RunRecord> ProjectDatabase::createRun(const NewRun& run) {
    std::vector<std::filesystem::path> made; // by attempts that a locked database rolled back
    const auto created = write([&]() -> Result<std::string> {
        const std::int64_t id = nextNumber();
        const std::string name = !run.name.empty() ? run.name : !run.modelType.empty() ? run.modelType : "run";
        const std::string folder = "runs/" + runFolderName(id, name);
        std::error_code failed;
        std::filesystem::create_directories(m_folder / "runs", failed);
        if (!std::filesystem::create_directory(m_folder / folder, failed))
            return Error{ErrorKind::Damaged,
                         fmt::format("The run's folder cannot be made: {}.",
                                     failed ? failed.message() : std::string("it exists already")),
                         (m_folder / folder).string(), "Check permissions and free space of the project's folder."};
        made.push_back(m_folder / folder);
        const std::int64_t now = wallMicroseconds();
        insertRow(
            *m_database, "run",
            {{"id", id},
             {"folder", folder},
             {"name", name},
             {"model_type", run.modelType},
             {"task", run.task},
             {"status", int(RunStatus::Queued)},
             {"iterations", run.iterations},
             {"created", now},
             {"updated", now},
             {"parent_checkpoint", run.parentCheckpoint ? nlohmann::json(*run.parentCheckpoint) : nlohmann::json()},
             {"config", run.config},
             {"overrides", textOf(run.overrides)},
             {"seed", std::to_string(run.seed)},
             {"code_version", run.codeVersion},
             {"libraries", run.libraries},
             {"device", run.device},
             {"data_fingerprint", run.dataFingerprint},
             {"colour", id - 1}});
        if (auto filled = fillFolder(id, m_folder / folder, run); !filled)
            return filled.error();
        return folder;
    });
    for (const auto& folder : made)
        if (!created || folder != m_folder / *created) {
            std::error_code ignored; // an empty run folder at worst; `project check` names it
            std::filesystem::remove_all(folder, ignored);
        }
    if (!created)
        return created.error();
    return findRun(*created);
}

Result<void> ProjectDatabase::fillFolder(std::int64_t id, const std::filesystem::path& folder,
                                         const NewRun& run) const {
    std::error_code failed;
    if (!std::filesystem::create_directory(folder / runfile::kCheckpoints, failed))
        return Error{ErrorKind::Damaged, fmt::format("The folder cannot be made: {}.", failed.message()),
                     (folder / runfile::kCheckpoints).string(), ""};
    if (auto written = writeFile(folder / runfile::kConfig, run.config); !written)
        return written.error();
    if (auto series = SeriesWriter::open(folder); !series)
        return series.error();
    return saved(id);
}

} // namespace trainyard
