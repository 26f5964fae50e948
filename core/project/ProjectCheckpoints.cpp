// Checkpoints: rows that retention, resume and the lists go by.
#include "core/project/ProjectDatabase.h"

#include "core/project/RunFolder.h"

#include <fmt/format.h>

namespace trainyard {
namespace {

// "Best" is who became best last among those still there.
constexpr const char* kCheckpointColumns =
    "SELECT c.id, c.run, c.session, c.iteration, c.path, c.bytes, c.wall, c.is_pinned, "
    "c.id IS (SELECT b.id FROM checkpoint b WHERE b.run = c.run AND b.best_order IS NOT NULL AND b.is_abandoned = 0 "
    "AND b.is_deleted = 0 ORDER BY b.best_order DESC LIMIT 1), "
    "c.is_final, c.is_abandoned, c.is_deleted, c.metric, r.folder FROM checkpoint c JOIN run r ON r.id = c.run ";

} // namespace

CheckpointRecord ProjectDatabase::checkpointOf(SQLite::Statement& row) const {
    CheckpointRecord found;
    found.id = row.getColumn(0).getInt64();
    found.run = row.getColumn(1).getInt64();
    found.session = row.getColumn(2).getInt64();
    found.report.iteration = row.getColumn(3).getInt64();
    found.report.path = row.getColumn(4).getString();
    found.report.bytes = row.getColumn(5).getInt64();
    found.report.wallMicroseconds = row.getColumn(6).getInt64();
    found.isPinned = row.getColumn(7).getInt() != 0;
    found.isBest = row.getColumn(8).getInt() != 0;
    found.isFinal = row.getColumn(9).getInt() != 0;
    found.isAbandoned = row.getColumn(10).getInt() != 0;
    found.isDeleted = row.getColumn(11).getInt() != 0;
    if (!row.getColumn(12).isNull())
        found.metric = row.getColumn(12).getDouble();
    std::error_code failed;
    const auto folder = m_folder / row.getColumn(13).getString();
    found.isMissing = !std::filesystem::exists(folder / found.report.path, failed);
    return found;
}

Result<std::vector<CheckpointRecord>> ProjectDatabase::checkpoints(std::int64_t run) const {
    return read([&]() -> Result<std::vector<CheckpointRecord>> {
        SQLite::Statement rows(
            m_database->handle(),
            std::string(kCheckpointColumns) +
                "WHERE (c.run = ?1 OR ?1 = 0) AND r.is_deleted = 0 ORDER BY c.run, c.iteration, c.id");
        rows.bind(1, run);
        std::vector<CheckpointRecord> found;
        while (rows.executeStep())
            found.push_back(checkpointOf(rows));
        return found;
    });
}

Result<CheckpointRecord> ProjectDatabase::checkpoint(std::int64_t id) const {
    return read([&]() -> Result<CheckpointRecord> {
        SQLite::Statement row(m_database->handle(), std::string(kCheckpointColumns) + "WHERE c.id = ?");
        row.bind(1, id);
        if (!row.executeStep())
            return noCheckpoint(id);
        return checkpointOf(row);
    });
}

/// Told twice in one session, it stays as it is. A file that a later session wrote over an abandoned one takes that
/// one's row, without what the old file had earned; a pin stays, being a person's wish.
Result<std::int64_t> ProjectDatabase::addCheckpoint(std::int64_t run, const CheckpointReport& report) {
    if (!isInside(report.path))
        return Error{ErrorKind::Usage, "A checkpoint's path must lie inside its run's folder.", report.path, ""};
    return write([&]() -> Result<std::int64_t> {
        if (!folderOf(run))
            return noRun(run);
        const std::int64_t session =
            m_database->number("SELECT coalesce(max(number), 0) FROM session WHERE run = ?", run);
        m_database->execute(
            "INSERT INTO checkpoint (run, session, iteration, path, bytes, wall) VALUES (?, ?, ?, ?, ?, ?) "
            "ON CONFLICT (run, path) DO UPDATE SET bytes = excluded.bytes, wall = excluded.wall, is_deleted = 0, "
            "metric     = CASE WHEN session = excluded.session THEN metric END, "
            "best_order = CASE WHEN session = excluded.session THEN best_order END, "
            "is_final   = CASE WHEN session = excluded.session THEN is_final ELSE 0 END, "
            "is_abandoned = 0, session = excluded.session, iteration = excluded.iteration",
            run, session, report.iteration, report.path, report.bytes, report.wallMicroseconds);
        const std::int64_t id =
            m_database->number("SELECT id FROM checkpoint WHERE run = ? AND path = ?", run, report.path);
        if (auto done = saved(run); !done)
            return done.error();
        return id;
    });
}

Result<void> ProjectDatabase::setPinned(std::int64_t checkpoint, bool isPinned) {
    return changeCheckpoint(checkpoint, "UPDATE checkpoint SET is_pinned = ? WHERE id = ?", isPinned);
}

Result<void> ProjectDatabase::setMetric(std::int64_t run, std::int64_t iteration, double metric, bool isBest) {
    return write([&]() -> Result<void> {
        const int changed = m_database->execute(
            "UPDATE checkpoint SET metric = ?, best_order = CASE WHEN ? THEN "
            "(SELECT coalesce(max(best_order), 0) + 1 FROM checkpoint WHERE run = ?3) ELSE best_order END "
            "WHERE run = ?3 AND iteration = ?4 AND is_abandoned = 0",
            metric, isBest, run, iteration);
        if (changed == 0)
            return Error{ErrorKind::Usage, fmt::format("Run {} has no checkpoint of iteration {}.", run, iteration),
                         m_folder.string(), ""};
        return saved(run);
    });
}

Result<void> ProjectDatabase::markFinal(std::int64_t run, std::int64_t iteration) {
    return write([&]() -> Result<void> {
        m_database->execute("UPDATE checkpoint SET is_final = (iteration = ?) WHERE run = ? AND is_abandoned = 0",
                            iteration, run);
        if (m_database->number("SELECT count(*) FROM checkpoint WHERE run = ? AND is_final", run) == 0)
            return Error{ErrorKind::Usage, fmt::format("Run {} has no checkpoint of iteration {}.", run, iteration),
                         m_folder.string(), ""};
        return saved(run);
    });
}

Result<void> ProjectDatabase::deleteCheckpoint(std::int64_t checkpoint) {
    return changeCheckpoint(checkpoint, "UPDATE checkpoint SET is_deleted = 1 WHERE id = ?");
}

Result<void> ProjectDatabase::restoreCheckpoint(std::int64_t checkpoint) {
    return changeCheckpoint(checkpoint, "UPDATE checkpoint SET is_deleted = 0 WHERE id = ?");
}

Result<void> ProjectDatabase::removeCheckpointNow(std::int64_t checkpoint) {
    return changeCheckpoint(checkpoint, "DELETE FROM checkpoint WHERE id = ?");
}

} // namespace trainyard
