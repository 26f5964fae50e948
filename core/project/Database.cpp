#include "core/project/Database.h"

#include <fmt/format.h>
#include <sqlite3.h>

namespace trainyard {
namespace {

constexpr double kIndexMegabytes = 0.1; ///< a first piece of a write-ahead log's index takes 32 KiB

} // namespace

Database::~Database() {
    m_dataVersion.reset();
    m_handle.reset(); // before the folder that may hold the copy
}

void Database::begin(const char* how) const {
    m_handle->exec(how);
}

void Database::rollBack() const noexcept {
    if (m_handle && sqlite3_get_autocommit(m_handle->getHandle()) == 0)
        sqlite3_exec(m_handle->getHandle(), "ROLLBACK", nullptr, nullptr, nullptr); // SQLite may have done it already
}

bool Database::isBusy(const SQLite::Exception& exception) {
    const int code = exception.getErrorCode() & 0xff;
    return code == SQLITE_BUSY || code == SQLITE_LOCKED;
}

std::int64_t Database::dataVersion() const {
    try {
        if (!m_dataVersion)
            m_dataVersion = std::make_unique<SQLite::Statement>(*m_handle, "PRAGMA data_version");
        m_dataVersion->reset();
        m_dataVersion->executeStep();
        const std::int64_t others = m_dataVersion->getColumn(0).getInt64();
        const std::int64_t own = sqlite3_total_changes(m_handle->getHandle());
        m_dataVersion->reset(); // an open statement would hold a snapshot
        return (others << 32) + own;
    } catch (const SQLite::Exception&) {
        return 0; // whoever asks next for rows is told what is wrong
    }
}

Error Database::fullDisk() const {
    return {
        ErrorKind::Damaged,
        fmt::format("The disk is full ({:.1f} MB free); the {} cannot grow.", freeMegabytes(folder()), m_kind->noun),
        m_file.string(), "Free some space; nothing already written is lost."};
}

Error Database::error(const SQLite::Exception& exception) const {
    const std::string where = m_file.string();
    m_isDamaged = m_isDamaged || exception.getExtendedErrorCode() == SQLITE_IOERR_SHORT_READ;
    switch (exception.getErrorCode() & 0xff) {
    case SQLITE_BUSY:
    case SQLITE_LOCKED:
        return {ErrorKind::Damaged, fmt::format("The {} stayed locked by another program.", m_kind->noun), where,
                "Close the program that holds it and try again."};
    case SQLITE_FULL:
        return fullDisk();
    case SQLITE_CORRUPT:
    case SQLITE_NOTADB:
    case SQLITE_FORMAT:
        m_isDamaged = true;
        return {ErrorKind::Damaged, fmt::format("The {} is damaged.", m_kind->noun), where, m_kind->remedy};
    case SQLITE_READONLY:
    case SQLITE_PERM:
        return {ErrorKind::Damaged, fmt::format("The {} cannot be written to.", m_kind->noun), where,
                "Give yourself write permission, or copy the folder to where you have it."};
    case SQLITE_CANTOPEN:
        return {ErrorKind::Damaged, fmt::format("The {} cannot be opened.", m_kind->noun), where,
                "Check that the folder exists and that you may read and write it."};
    case SQLITE_IOERR:
        // the index of the write-ahead log could not grow: SQLite does not say why
        if (exception.getExtendedErrorCode() == SQLITE_IOERR_SHMSIZE && freeMegabytes(folder()) < kIndexMegabytes)
            return fullDisk();
        return {ErrorKind::Damaged, fmt::format("The disk failed while the {} was read or written.", m_kind->noun),
                where, "Check the disk and its connection."};
    default:
        return {ErrorKind::Unexpected, fmt::format("The {} refused: {}.", m_kind->noun, exception.what()), where, ""};
    }
}

} // namespace trainyard
