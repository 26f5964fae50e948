// How a database file is opened: checked, migrated, or copied where it cannot be opened in place.
#include "core/project/Database.h"

#include <fmt/format.h>
#include <sqlite3.h>

#include <chrono>
#include <thread>

namespace trainyard {
namespace {

constexpr int kBusyMilliseconds = 10000;
constexpr std::uintmax_t kQuickCheckBytes = 4u << 20; // above, damage is told when it is met

std::filesystem::path beside(const std::filesystem::path& file, const char* suffix) {
    return std::filesystem::path(file.string() + suffix);
}

bool hasBytes(const std::filesystem::path& file) {
    std::error_code failed;
    const auto size = std::filesystem::file_size(file, failed);
    return !failed && size > 0;
}

/// A URI in which `immutable=1` tells SQLite that nobody writes, so that it needs neither locks nor shared memory.
std::string immutableUri(const std::filesystem::path& file) {
    std::string uri = "file:";
    for (const unsigned char c : std::filesystem::absolute(file).string())
        if (std::isalnum(c) || c == '/' || c == '.' || c == '-' || c == '_')
            uri += char(c);
        else
            uri += fmt::format("%{:02X}", c);
    return uri + "?immutable=1";
}

} // namespace

Result<std::unique_ptr<Database>> Database::open(const std::filesystem::path& file, Access access,
                                                 const DatabaseKind& kind, bool* isDamaged) {
    std::unique_ptr<Database> database(new Database(file, kind));
    std::error_code failed;
    if (access != Access::Create && !std::filesystem::exists(file, failed))
        return Error{ErrorKind::Damaged, fmt::format("There is no {} here.", kind.noun), file.string(),
                     "Check the path."};
    if (std::filesystem::exists(file, failed) && !std::filesystem::is_regular_file(file, failed))
        return Error{ErrorKind::Damaged, fmt::format("The {} cannot be opened: it is no file.", kind.noun),
                     file.string(), "Check the path."};
    const auto refused = [&](Error error) {
        if (isDamaged)
            *isDamaged = database->m_isDamaged;
        return error;
    };
    try {
        auto opened = access == Access::ReadOnly ? database->openForReading()
                                                 : database->openForWriting(access == Access::Create);
        if (!opened)
            return refused(opened.error());
    } catch (const SQLite::Exception& exception) {
        return refused(database->error(exception));
    } catch (const std::exception& exception) { // the temporary copy: no space, no permission
        return Error{ErrorKind::Damaged,
                     fmt::format("The {} cannot be copied for reading: {}.", kind.noun, exception.what()),
                     file.string(), "Free some space in the temporary folder."};
    }
    return database;
}

void Database::connect(const std::string& name, int flags) {
    m_dataVersion.reset();
    m_handle.reset();
    m_handle = std::make_unique<SQLite::Database>(name, flags, kBusyMilliseconds);
    sqlite3_extended_result_codes(m_handle->getHandle(), 1);
    m_handle->exec("PRAGMA foreign_keys = ON");
    SQLite::Statement(*m_handle, "SELECT count(*) FROM sqlite_schema").executeStep(); // reads the header
}

Result<void> Database::openForWriting(bool isCreating) {
    const bool exists = std::filesystem::exists(m_file);
    if (!mayWrite(folder()) || (exists && !mayWrite(m_file)))
        return Error{ErrorKind::Damaged, fmt::format("The {} cannot be written to.", m_kind->noun), m_file.string(),
                     "Give yourself write permission, or copy the folder to where you have it."};
    connect(m_file.string(), SQLite::OPEN_READWRITE | (isCreating ? SQLite::OPEN_CREATE : 0));
    if (sqlite3_db_readonly(m_handle->getHandle(), "main") == 1)
        return Error{ErrorKind::Damaged, fmt::format("The {} cannot be written to.", m_kind->noun), m_file.string(),
                     "Give yourself write permission, or copy the folder to where you have it."};
    if (auto checked = checkVersion(isCreating); !checked)
        return checked.error();
    if (auto migrated = migrate(); !migrated)
        return migrated.error();
    chooseJournal();
    return checkPages();
}

Result<void> Database::openForReading() {
    try {
        connectForReading();
    } catch (const SQLite::Exception& exception) {
        const int code = exception.getErrorCode() & 0xff;
        if (code != SQLITE_CANTOPEN && code != SQLITE_READONLY)
            throw;
        connectCopy(); // an unfinished transaction or write-ahead log where nothing may be written
    }
    if (auto checked = checkVersion(false); !checked)
        return checked.error();
    const bool isOld = number("PRAGMA user_version") < m_kind->migrations.back().number;
    if (isOld && !m_copy)
        connectCopy();
    if (isOld)
        if (auto migrated = migrate(); !migrated)
            return migrated.error();
    return checkPages();
}

void Database::connectForReading() {
    try {
        connect(m_file.string(), SQLite::OPEN_READONLY);
    } catch (const SQLite::Exception& exception) {
        const int code = exception.getErrorCode() & 0xff;
        const bool isFolderReadOnly = !mayWrite(folder());
        const bool isAtRest = !hasBytes(beside(m_file, "-wal")) && !hasBytes(beside(m_file, "-journal"));
        if ((code != SQLITE_CANTOPEN && code != SQLITE_READONLY) || !isFolderReadOnly || !isAtRest)
            throw;
        connect(immutableUri(m_file), SQLite::OPEN_READONLY | SQLite::OPEN_URI);
    }
}

void Database::connectCopy() {
    m_handle.reset();
    m_copy = std::make_unique<TemporaryFolder>();
    const auto copy = m_copy->path() / m_file.filename();
    for (const char* suffix : {"", "-wal", "-journal"})
        if (std::filesystem::exists(beside(m_file, suffix))) {
            std::filesystem::copy_file(beside(m_file, suffix), beside(copy, suffix));
            std::filesystem::permissions(beside(copy, suffix), std::filesystem::perms::owner_write,
                                         std::filesystem::perm_options::add);
        }
    connect(copy.string(), SQLite::OPEN_READWRITE);
}

Result<void> Database::checkVersion(bool isCreating) const {
    const std::int64_t tables = number("SELECT count(*) FROM sqlite_schema");
    const std::int64_t version = number("PRAGMA user_version");
    const int newest = m_kind->migrations.back().number;
    if (tables > 0 && number("PRAGMA application_id") != m_kind->applicationId)
        return Error{ErrorKind::Damaged, fmt::format("This database is no Trainyard {}.", m_kind->noun),
                     m_file.string(), "Choose another folder; the file was left as it is."};
    if (tables == 0 && !isCreating)
        return Error{ErrorKind::Damaged, fmt::format("The {} is empty; it was cut off.", m_kind->noun), m_file.string(),
                     m_kind->remedy};
    if (version > newest)
        return Error{ErrorKind::Damaged,
                     fmt::format("The {} was written by a newer Trainyard (version {}; this one knows {}).",
                                 m_kind->noun, version, newest),
                     m_file.string(), "Update Trainyard."};
    return {};
}

Result<void> Database::migrate() {
    if (number("PRAGMA user_version") == m_kind->migrations.back().number)
        return {};
    return write([&]() -> Result<void> {
        const std::int64_t version = number("PRAGMA user_version"); // another process may have been quicker
        for (const Migration& migration : m_kind->migrations)
            if (migration.number > version) {
                m_handle->exec(migration.sql);
                m_handle->exec(fmt::format("PRAGMA user_version = {}", migration.number));
            }
        m_handle->exec(fmt::format("PRAGMA application_id = {}", m_kind->applicationId));
        return {};
    });
}

Result<void> Database::checkPages() const {
    std::error_code failed;
    if (std::filesystem::file_size(m_file, failed) > kQuickCheckBytes || failed)
        return {};
    auto check = statement("PRAGMA quick_check(1)");
    if (check.executeStep() && check.getColumn(0).getString() == "ok")
        return {};
    m_isDamaged = true;
    return Error{ErrorKind::Damaged, fmt::format("The {} is damaged.", m_kind->noun), m_file.string(), m_kind->remedy};
}

/// WAL on a local disk: readers never block the writer. The classic journal where the disk is shared over a network.
/// Changing it needs the file alone for a moment; when others are at work it stays as it is until the next time.
void Database::chooseJournal() {
    const bool isNetwork = isOnNetwork(folder());
    const std::string wanted = isNetwork ? "delete" : "wal";
    for (int attempt = 0; attempt < 50; ++attempt) {
        try {
            auto mode = statement("PRAGMA journal_mode");
            if (mode.executeStep() && mode.getColumn(0).getString() == wanted)
                break;
            mode.reset();
            statement(isNetwork ? "PRAGMA journal_mode = DELETE" : "PRAGMA journal_mode = WAL").executeStep();
        } catch (const SQLite::Exception& exception) {
            if (!isBusy(exception))
                throw;
            std::this_thread::sleep_for(std::chrono::milliseconds(20));
        }
    }
    m_handle->exec(isNetwork ? "PRAGMA synchronous = FULL" : "PRAGMA synchronous = NORMAL");
    m_handle->exec("PRAGMA journal_size_limit = 8388608");
}

} // namespace trainyard
