// The files of what was deleted and not restored. Nothing is removed that a project did not write.
#include "core/project/ProjectDatabase.h"

#include "core/project/RunFolder.h"

#include <fmt/format.h>

namespace trainyard {
namespace {

namespace fs = std::filesystem;

/// Removes a regular file; one that is already gone is no failure, a link or a folder under its name stays.
Result<void> removeFile(const fs::path& file) {
    std::error_code failed;
    if (fs::symlink_status(file, failed).type() != fs::file_type::regular)
        return {};
    if (!fs::remove(file, failed) && failed)
        return Error{ErrorKind::Damaged, fmt::format("The file cannot be deleted: {}.", failed.message()),
                     file.string(), "Check the permissions of its folder."};
    return {};
}

void removeIfEmpty(const fs::path& folder) {
    std::error_code isNotEmpty; // someone else's files are in it: it stays
    fs::remove(folder, isNotEmpty);
}

std::vector<std::int64_t> idsOf(SQLite::Statement rows) {
    std::vector<std::int64_t> ids;
    while (rows.executeStep())
        ids.push_back(rows.getColumn(0).getInt64());
    return ids;
}

} // namespace

Result<void> ProjectDatabase::purge() {
    return write([&]() -> Result<void> {
        for (const std::int64_t id : idsOf(m_database->statement(
                 "SELECT c.id FROM checkpoint c JOIN run r ON r.id = c.run WHERE c.is_deleted OR r.is_deleted")))
            if (auto purged = purgeCheckpoint(id); !purged)
                return purged;
        for (const std::int64_t id : idsOf(m_database->statement("SELECT id FROM run WHERE is_deleted")))
            if (auto purged = purgeRun(id); !purged)
                return purged;
        return {};
    });
}

Result<void> ProjectDatabase::discardRun(std::int64_t id) {
    return write([&]() -> Result<void> {
        if (!folderOf(id))
            return noRun(id);
        return purgeRun(id);
    });
}

Result<void> ProjectDatabase::purgeCheckpoint(std::int64_t id) {
    const std::int64_t run = m_database->number("SELECT run FROM checkpoint WHERE id = ?", id);
    auto row = m_database->statement("SELECT path FROM checkpoint WHERE id = ?", id);
    row.executeStep();
    const fs::path path = row.getColumn(0).getString();
    row.reset();
    if (RunLock::isHeld(pathOf(run)) && m_database->number("SELECT is_deleted FROM run WHERE id = ?", run) != 0)
        return {}; // came back to life; purgeRun leaves it too
    const auto file = pathOf(run) / path;
    std::error_code failed;
    const auto home = fs::weakly_canonical(pathOf(run), failed);
    const auto target = fs::weakly_canonical(file, failed);
    if (!isInside(path) || !isInside(target.lexically_relative(home)))
        return Error{ErrorKind::Damaged, "A checkpoint's path leads out of its run's folder; it was not deleted.",
                     file.string(), "Remove the link that leads there."};
    if (auto removed = removeFile(file); !removed)
        return removed;
    m_database->execute("DELETE FROM checkpoint WHERE id = ?", id);
    return saved(run);
}

Result<void> ProjectDatabase::purgeRun(std::int64_t id) {
    const auto folder = pathOf(id);
    if (RunLock::isHeld(folder))
        return {};
    std::error_code failed;
    if (fs::symlink_status(folder, failed).type() == fs::file_type::directory) {
        const std::string series = runfile::kSeries;
        for (const std::string& name :
             {std::string(runfile::kRun), std::string(runfile::kHistory), series, series + "-wal", series + "-shm",
              series + "-journal", std::string(runfile::kConfig), std::string(runfile::kLock)})
            if (auto removed = removeFile(folder / name); !removed)
                return removed;
        for (const std::string& name : engineFiles(folder))
            if (auto removed = removeFile(folder / name); !removed)
                return removed;
        for (const char* inner : {runfile::kCheckpoints, runfile::kPictures, runfile::kEvaluations, runfile::kEvents})
            removeIfEmpty(folder / inner);
        removeIfEmpty(folder);
    }
    m_database->execute("DELETE FROM run WHERE id = ?", id);
    return {};
}

} // namespace trainyard
