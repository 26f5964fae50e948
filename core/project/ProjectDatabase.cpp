#include "core/project/ProjectDatabase.h"

#include "core/base/AtomicFile.h"
#include "core/base/Clock.h"
#include "core/base/Log.h"
#include "core/project/ProjectMigrations.h"
#include "core/project/RunFolder.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

namespace trainyard {

const DatabaseKind kProjectKind{kProjectMigrations, 0x54594152, "project",
                                "Run: trainyard project rebuild (it restores the index from the run folders)."};

Result<std::unique_ptr<Project>> Project::open(const std::filesystem::path& folder, Mode mode, bool create) {
    std::error_code failed;
    if (create)
        std::filesystem::create_directories(folder, failed);
    const auto file = folder / kProjectFile;
    if (!create && !std::filesystem::exists(file, failed))
        return runFolders(folder).empty()
                   ? Error{ErrorKind::Damaged, "There is no project here.", folder.string(),
                           "Name another folder with --project, or train something here first."}
                   : Error{ErrorKind::Damaged, "The project's index is missing.", file.string(), kProjectKind.remedy};
    const bool isNew = !std::filesystem::exists(file, failed);
    const bool mayMake = create && (isNew || runFolders(folder).empty());
    auto database = Database::open(file,
                                   mode == Mode::ReadOnly && !isNew ? Access::ReadOnly
                                   : mayMake                        ? Access::Create
                                                                    : Access::ReadWrite,
                                   kProjectKind);
    if (!database)
        return database.error();
    if (isNew && !runFolders(folder).empty())
        log::warn("{} has runs that its new index does not know. Run: trainyard project rebuild.", folder.string());
    return std::unique_ptr<Project>(
        std::make_unique<ProjectDatabase>(folder, std::move(*database), mode == Mode::ReadOnly));
}

std::optional<std::filesystem::path> Project::nearest(const std::filesystem::path& start) {
    std::error_code failed;
    auto folder = std::filesystem::absolute(start, failed).lexically_normal();
    for (;;) {
        if (std::filesystem::is_regular_file(folder / kProjectFile, failed))
            return folder;
        if (!folder.has_relative_path())
            return std::nullopt;
        folder = folder.parent_path();
    }
}

ProjectDatabase::ProjectDatabase(std::filesystem::path folder, std::unique_ptr<Database> database, bool isReadOnly)
    : m_folder(std::move(folder)), m_database(std::move(database)), m_isReadOnly(isReadOnly) {}

Result<void> ProjectDatabase::setSetting(const std::string& key, const std::string& value) {
    return write([&]() -> Result<void> {
        m_database->execute("INSERT INTO setting (key, value) VALUES (?, ?) "
                            "ON CONFLICT (key) DO UPDATE SET value = excluded.value",
                            key, value);
        return {};
    });
}

std::string ProjectDatabase::setting(const std::string& key) const {
    const auto found = read([&]() -> Result<std::string> {
        auto row = m_database->statement("SELECT value FROM setting WHERE key = ?", key);
        return row.executeStep() ? row.getColumn(0).getString() : std::string();
    });
    return found.value_or(""); // a setting of the window that cannot be read is as good as none
}

std::int64_t ProjectDatabase::dataVersion() const {
    std::lock_guard lock(m_mutex);
    return m_database->dataVersion();
}

nlohmann::json runFile(const Database& database, std::int64_t id) {
    const auto rows = [&](const char* sql) {
        auto statement = database.statement(sql, id);
        return rowsOf(statement);
    };
    auto run = rows("SELECT * FROM run WHERE id = ?");
    if (run.empty())
        return nullptr;
    run.front().erase("config"); // it is the file beside
    return {{"format", 1},
            {"run", run.front()},
            {"tags", rows("SELECT position, name FROM tag WHERE run = ? ORDER BY position")},
            {"sessions", rows("SELECT number, from_iteration, wall FROM session WHERE run = ? ORDER BY number")},
            {"checkpoints", rows("SELECT * FROM checkpoint WHERE run = ? ORDER BY id")}};
}

Result<void> ProjectDatabase::saved(std::int64_t run) const {
    m_database->execute("UPDATE run SET updated = ? WHERE id = ?", wallMicroseconds(), run);
    const auto folder = pathOf(run);
    std::error_code failed;
    if (!std::filesystem::is_directory(folder, failed))
        return {}; // removed by hand; the list shows it, `project check` says so
    return writeFile(folder / runfile::kRun, textOf(runFile(*m_database, run), 1) + "\n");
}

Result<void> ProjectDatabase::appendHistory(std::int64_t run, const char* table, const Row& row) const {
    const auto file = pathOf(run) / runfile::kHistory;
    const int handle = ::open(file.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0644);
    if (handle < 0 && errno == ENOENT)
        return {}; // the folder was removed by hand
    const std::string line = textOf({{"table", table}, {"row", row}}) + "\n";
    const bool isWritten = handle >= 0 && ::write(handle, line.data(), line.size()) == ssize_t(line.size());
    if (handle >= 0)
        ::close(handle);
    if (!isWritten)
        return Error{ErrorKind::Damaged,
                     fmt::format("The history of the run cannot be written ({:.1f} MB free).",
                                 freeMegabytes(file.parent_path())),
                     file.string(), "Free some space, or give yourself write permission."};
    return {};
}

std::optional<std::string> ProjectDatabase::folderOf(std::int64_t run) const {
    auto row = m_database->statement("SELECT folder FROM run WHERE id = ?", run);
    if (!row.executeStep())
        return std::nullopt;
    return row.getColumn(0).getString();
}

std::filesystem::path ProjectDatabase::pathOf(std::int64_t run) const {
    return m_folder / folderOf(run).value_or("runs/none");
}

Error ProjectDatabase::noRun(std::int64_t id) const {
    return {ErrorKind::Usage, fmt::format("There is no run {} in this project.", id), m_folder.string(),
            "See: trainyard runs list."};
}

Error ProjectDatabase::noCheckpoint(std::int64_t id) const {
    return {ErrorKind::Usage, fmt::format("There is no checkpoint {} in this project.", id), m_folder.string(),
            "See: trainyard checkpoints list."};
}

Error ProjectDatabase::readOnlyError() const {
    return {ErrorKind::Damaged, "The project is opened for reading only.", m_folder.string(),
            "Open it where you may write to it."};
}

} // namespace trainyard
