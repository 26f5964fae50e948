// Runs: lists, look-ups and changes of their rows.
#include "core/project/ProjectDatabase.h"

#include "core/base/AtomicFile.h"
#include "core/base/Clock.h"
#include "core/project/RunFolder.h"

#include <charconv>
#include <cmath>
#include <fmt/format.h>
#include <limits>
#include <map>

namespace trainyard {
namespace {

constexpr const char* kRunColumns =
    "SELECT id, name, folder, model_type, task, status, iteration, iterations, loss, seconds, created, updated, "
    "best_metric, best_metric_name, parent_checkpoint, notes, error, colour, run_group, is_deleted FROM run ";

double realOf(const SQLite::Column& column) {
    return column.isNull() ? std::numeric_limits<double>::quiet_NaN() : column.getDouble();
}

bool needsOwner(RunStatus status) {
    return status == RunStatus::Preparing || status == RunStatus::Running || status == RunStatus::Paused ||
           status == RunStatus::Stopping;
}

std::optional<std::int64_t> numberIn(std::string_view text) {
    if (!text.empty() && text.front() == '#')
        text.remove_prefix(1);
    std::int64_t number = 0;
    const auto [end, failed] = std::from_chars(text.data(), text.data() + text.size(), number);
    if (failed != std::errc() || end != text.data() + text.size())
        return std::nullopt;
    return number;
}

} // namespace

RunRecord ProjectDatabase::recordOf(SQLite::Statement& row) const {
    RunRecord run;
    run.id = row.getColumn(0).getInt64();
    run.name = row.getColumn(1).getString();
    run.folder = row.getColumn(2).getString();
    run.modelType = row.getColumn(3).getString();
    run.task = row.getColumn(4).getString();
    run.status = RunStatus(row.getColumn(5).getInt());
    run.iteration = row.getColumn(6).getInt64();
    run.iterations = row.getColumn(7).getInt64();
    run.loss = realOf(row.getColumn(8));
    run.seconds = realOf(row.getColumn(9));
    run.createdMicroseconds = row.getColumn(10).getInt64();
    run.updatedMicroseconds = row.getColumn(11).getInt64();
    if (!row.getColumn(12).isNull())
        run.bestMetric = row.getColumn(12).getDouble();
    run.bestMetricName = row.getColumn(13).getString();
    if (!row.getColumn(14).isNull())
        run.parentCheckpoint = row.getColumn(14).getInt64();
    run.notes = row.getColumn(15).getString();
    run.error = row.getColumn(16).getString();
    run.colour = row.getColumn(17).getInt64();
    run.group = row.getColumn(18).getString();
    run.isDeleted = row.getColumn(19).getInt() != 0;
    if (needsOwner(run.status) && !RunLock::isHeld(m_folder / run.folder))
        run.status = RunStatus::Lost;
    return run;
}

void ProjectDatabase::addTags(std::vector<RunRecord>& runs) const {
    std::map<std::int64_t, std::vector<std::string>> tags;
    auto rows = m_database->statement("SELECT run, name FROM tag ORDER BY run, position");
    while (rows.executeStep())
        tags[rows.getColumn(0).getInt64()].push_back(rows.getColumn(1).getString());
    for (RunRecord& run : runs)
        if (const auto found = tags.find(run.id); found != tags.end())
            run.tags = std::move(found->second);
}

Result<std::vector<RunRecord>> ProjectDatabase::runsWhere(bool isDeleted) const {
    return read([&]() -> Result<std::vector<RunRecord>> {
        std::vector<RunRecord> runs;
        SQLite::Statement rows(m_database->handle(), std::string(kRunColumns) + "WHERE is_deleted = ? ORDER BY id");
        rows.bind(1, std::int64_t(isDeleted));
        while (rows.executeStep())
            runs.push_back(recordOf(rows));
        addTags(runs);
        return runs;
    });
}

Result<RunRecord> ProjectDatabase::run(std::int64_t id) const {
    return read([&]() -> Result<RunRecord> {
        SQLite::Statement row(m_database->handle(), std::string(kRunColumns) + "WHERE id = ? AND is_deleted = 0");
        row.bind(1, id);
        if (!row.executeStep())
            return noRun(id);
        std::vector<RunRecord> found{recordOf(row)};
        auto tags = m_database->statement("SELECT name FROM tag WHERE run = ? ORDER BY position", id);
        while (tags.executeStep())
            found.front().tags.push_back(tags.getColumn(0).getString());
        return found.front();
    });
}

std::optional<std::int64_t> ProjectDatabase::runOf(const std::string& reference) const {
    const auto first = [&](const char* sql, const auto& value) -> std::optional<std::int64_t> {
        auto row = m_database->statement(sql, value);
        if (!row.executeStep())
            return std::nullopt;
        return row.getColumn(0).getInt64();
    };
    if (const auto number = numberIn(reference))
        if (const auto found = first("SELECT id FROM run WHERE id = ? AND is_deleted = 0", *number))
            return found;
    if (const auto found =
            first("SELECT id FROM run WHERE name = ? AND is_deleted = 0 ORDER BY id DESC LIMIT 1", reference))
        return found;
    auto path = std::filesystem::path(reference).lexically_normal();
    if (!path.has_filename())
        path = path.parent_path(); // "runs/12-words/"
    return first("SELECT id FROM run WHERE folder = ? AND is_deleted = 0", "runs/" + path.filename().string());
}

Result<RunRecord> ProjectDatabase::findRun(const std::string& reference) const {
    const auto id = read([&]() -> Result<std::int64_t> {
        if (const auto found = runOf(reference))
            return *found;
        return Error{ErrorKind::Usage, fmt::format("No run is called “{}”.", reference), m_folder.string(),
                     "See: trainyard runs list."};
    });
    if (!id)
        return id.error();
    return run(*id);
}

Result<RunProvenance> ProjectDatabase::provenance(std::int64_t id) const {
    return read([&]() -> Result<RunProvenance> {
        auto row = m_database->statement(
            "SELECT config, overrides, seed, code_version, libraries, device, data_fingerprint FROM run WHERE id = ?",
            id);
        if (!row.executeStep())
            return noRun(id);
        RunProvenance found;
        found.config = row.getColumn(0).getString();
        const auto overrides = nlohmann::json::parse(row.getColumn(1).getString(), nullptr, false);
        if (overrides.is_array())
            for (const auto& text : overrides)
                if (text.is_string())
                    found.overrides.push_back(text.get<std::string>());
        const std::string seed = row.getColumn(2).getString();
        std::from_chars(seed.data(), seed.data() + seed.size(), found.seed);
        found.codeVersion = row.getColumn(3).getString();
        found.libraries = row.getColumn(4).getString();
        found.device = row.getColumn(5).getString();
        found.dataFingerprint = row.getColumn(6).getString();
        return found;
    });
}

Result<void> ProjectDatabase::setStatus(std::int64_t id, RunStatus status, const std::string& error) {
    return changeRun(id, "UPDATE run SET status = ?, error = ? WHERE id = ?", status, error);
}

/// The one change that leaves run.json alone: it comes several times a second.
Result<void> ProjectDatabase::setProgress(std::int64_t id, std::int64_t iteration, double loss, double seconds) {
    return write([&]() -> Result<void> {
        const int changed =
            m_database->execute("UPDATE run SET iteration = ?, loss = ?, seconds = ?, updated = ? WHERE id = ?",
                                iteration, loss, seconds, wallMicroseconds(), id);
        if (changed == 0)
            return noRun(id);
        return {};
    });
}

Result<void> ProjectDatabase::setIterations(std::int64_t id, std::int64_t iterations) {
    return changeRun(id, "UPDATE run SET iterations = ? WHERE id = ?", iterations);
}

Result<void> ProjectDatabase::setConfig(std::int64_t id, const std::string& yaml) {
    return write([&]() -> Result<void> {
        if (m_database->execute("UPDATE run SET config = ? WHERE id = ?", yaml, id) == 0)
            return noRun(id);
        if (auto written = writeFile(pathOf(id) / runfile::kConfig, yaml); !written)
            return written.error();
        return saved(id);
    });
}

Result<void> ProjectDatabase::setEnvironment(std::int64_t id, const std::string& libraries, const std::string& device,
                                             const std::string& dataFingerprint) {
    return changeRun(id, "UPDATE run SET libraries = ?, device = ?, data_fingerprint = ? WHERE id = ?", libraries,
                     device, dataFingerprint);
}

Result<void> ProjectDatabase::setBest(std::int64_t id, const std::string& metric, double value) {
    return changeRun(id, "UPDATE run SET best_metric_name = ?, best_metric = ? WHERE id = ?", metric, value);
}

Result<void> ProjectDatabase::rename(std::int64_t id, const std::string& name) {
    return changeRun(id, "UPDATE run SET name = ? WHERE id = ?", name);
}

Result<void> ProjectDatabase::setNotes(std::int64_t id, const std::string& notes) {
    return changeRun(id, "UPDATE run SET notes = ? WHERE id = ?", notes);
}

Result<void> ProjectDatabase::setTags(std::int64_t id, const std::vector<std::string>& tags) {
    return write([&]() -> Result<void> {
        if (!folderOf(id))
            return noRun(id);
        m_database->execute("DELETE FROM tag WHERE run = ?", id);
        for (std::size_t i = 0; i < tags.size(); ++i)
            m_database->execute("INSERT INTO tag (run, position, name) VALUES (?, ?, ?)", id, i, tags[i]);
        return saved(id);
    });
}

Result<void> ProjectDatabase::setGroup(std::int64_t id, const std::string& group) {
    return changeRun(id, "UPDATE run SET run_group = ? WHERE id = ?", group);
}

Result<void> ProjectDatabase::setColour(std::int64_t id, std::int64_t colour) {
    return changeRun(id, "UPDATE run SET colour = ? WHERE id = ?", colour);
}

Result<void> ProjectDatabase::deleteRun(std::int64_t id) {
    const auto folder = read([&]() -> Result<std::string> {
        if (const auto found = folderOf(id))
            return *found;
        return noRun(id);
    });
    if (!folder)
        return folder.error();
    if (RunLock::isHeld(m_folder / *folder))
        return Error{ErrorKind::Usage, fmt::format("Run {} is being trained.", id), *folder, "Stop it first."};
    return changeRun(id, "UPDATE run SET is_deleted = 1 WHERE id = ?");
}

Result<void> ProjectDatabase::restoreRun(std::int64_t id) {
    return changeRun(id, "UPDATE run SET is_deleted = 0 WHERE id = ?");
}

/// The earlier best, where the latest one lies on the tail that is abandoned now.
Result<std::int64_t> ProjectDatabase::beginSession(std::int64_t id, std::int64_t fromIteration) {
    return write([&]() -> Result<std::int64_t> {
        if (!folderOf(id))
            return noRun(id);
        const std::int64_t number =
            m_database->number("SELECT coalesce(max(number), 0) + 1 FROM session WHERE run = ?", id);
        m_database->execute("INSERT INTO session (run, number, from_iteration, wall) VALUES (?, ?, ?, ?)", id, number,
                            fromIteration, wallMicroseconds());
        const bool isBestLost =
            m_database->number("SELECT count(*) FROM checkpoint WHERE run = ? AND iteration > ? AND is_abandoned = 0 "
                               "AND best_order IS NOT NULL",
                               id, fromIteration) > 0;
        m_database->execute("UPDATE checkpoint SET is_abandoned = 1, is_final = 0 WHERE run = ? AND iteration > ?", id,
                            fromIteration);
        if (isBestLost)
            m_database->execute("UPDATE run SET best_metric = (SELECT metric FROM checkpoint WHERE run = ?1 "
                                "AND is_abandoned = 0 AND best_order IS NOT NULL ORDER BY best_order DESC LIMIT 1) "
                                "WHERE id = ?1",
                                id);
        if (auto done = saved(id); !done)
            return done.error();
        return number;
    });
}

} // namespace trainyard
