#pragma once

#include "core/project/Database.h"
#include "core/project/Project.h"
#include "core/project/Rows.h"

#include <mutex>

namespace trainyard {

extern const DatabaseKind kProjectKind;
inline constexpr const char* kProjectFile = "project.sqlite";

/// The Project in its SQLite file. A change of a run's row rewrites the run's run.json inside the same transaction, so
/// that the newest file always belongs to the newest row. A mutex makes "one at a time" sure.
class ProjectDatabase final : public Project {
public:
    ProjectDatabase(std::filesystem::path folder, std::unique_ptr<Database> database, bool isReadOnly);

    const std::filesystem::path& folder() const override { return m_folder; }
    bool isReadOnly() const override { return m_isReadOnly; }

    Result<RunRecord> createRun(const NewRun& run) override;
    Result<std::vector<RunRecord>> runs() const override { return runsWhere(false); }
    Result<std::vector<RunRecord>> deletedRuns() const override { return runsWhere(true); }
    Result<RunRecord> run(std::int64_t id) const override;
    Result<RunRecord> findRun(const std::string& reference) const override;
    Result<RunProvenance> provenance(std::int64_t id) const override;
    Result<void> setStatus(std::int64_t id, RunStatus status, const std::string& error) override;
    Result<void> setProgress(std::int64_t id, std::int64_t iteration, double loss, double seconds) override;
    Result<void> setIterations(std::int64_t id, std::int64_t iterations) override;
    Result<void> setConfig(std::int64_t id, const std::string& yaml) override;
    Result<void> setEnvironment(std::int64_t id, const std::string& libraries, const std::string& device,
                                const std::string& dataFingerprint) override;
    Result<void> setBest(std::int64_t id, const std::string& metric, double value) override;
    Result<void> rename(std::int64_t id, const std::string& name) override;
    Result<void> setNotes(std::int64_t id, const std::string& notes) override;
    Result<void> setTags(std::int64_t id, const std::vector<std::string>& tags) override;
    Result<void> setGroup(std::int64_t id, const std::string& group) override;
    Result<void> setColour(std::int64_t id, std::int64_t colour) override;
    Result<void> deleteRun(std::int64_t id) override;
    Result<void> restoreRun(std::int64_t id) override;
    Result<void> discardRun(std::int64_t id) override;
    Result<std::int64_t> beginSession(std::int64_t id, std::int64_t fromIteration) override;

    Result<std::vector<CheckpointRecord>> checkpoints(std::int64_t run) const override;
    Result<CheckpointRecord> checkpoint(std::int64_t id) const override;
    Result<std::int64_t> addCheckpoint(std::int64_t run, const CheckpointReport& report) override;
    Result<void> setPinned(std::int64_t checkpoint, bool isPinned) override;
    Result<void> setMetric(std::int64_t run, std::int64_t iteration, double metric, bool isBest) override;
    Result<void> markFinal(std::int64_t run, std::int64_t iteration) override;
    Result<void> deleteCheckpoint(std::int64_t checkpoint) override;
    Result<void> restoreCheckpoint(std::int64_t checkpoint) override;
    Result<void> removeCheckpointNow(std::int64_t checkpoint) override;
    Result<void> purge() override;

    Result<void> addEvent(std::int64_t run, const RunEvent& event) override;
    Result<std::vector<RunEvent>> events(std::int64_t run) const override;
    Result<void> addEvaluation(std::int64_t run, const EvaluationReport& report) override;
    Result<std::vector<EvaluationRecord>> evaluations(std::int64_t run) const override;
    Result<std::vector<EvaluationRecord>> newestEvaluations() const override;

    Result<std::vector<DataRoot>> dataRoots() const override;
    Result<void> setDataRoot(const std::string& name, const std::string& folder) override;
    Result<void> removeDataRoot(const std::string& name) override;

    Result<void> setSetting(const std::string& key, const std::string& value) override;
    std::string setting(const std::string& key) const override;
    std::int64_t dataVersion() const override;

private:
    template <class Deed>
    auto write(Deed&& deed) -> std::invoke_result_t<Deed> {
        std::lock_guard lock(m_mutex);
        if (m_isReadOnly)
            return readOnlyError();
        return m_database->write(deed);
    }
    template <class Deed>
    auto read(Deed&& deed) const -> std::invoke_result_t<Deed> {
        std::lock_guard lock(m_mutex);
        return m_database->read(deed);
    }

    /// One UPDATE of a run's row and what follows from it. `sql` ends with "WHERE id = ?"; the id is bound last.
    template <class... Values>
    Result<void> changeRun(std::int64_t id, const char* sql, const Values&... values) {
        return write([&]() -> Result<void> {
            if (m_database->execute(sql, values..., id) == 0)
                return noRun(id);
            return saved(id);
        });
    }
    template <class... Values>
    Result<void> changeCheckpoint(std::int64_t id, const char* sql, const Values&... values) {
        return write([&]() -> Result<void> {
            const std::int64_t run = m_database->number("SELECT run FROM checkpoint WHERE id = ?", id);
            if (m_database->execute(sql, values..., id) == 0)
                return noCheckpoint(id);
            return saved(run);
        });
    }

    Result<std::vector<RunRecord>> runsWhere(bool isDeleted) const;

    // all of these inside a transaction
    Result<void> saved(std::int64_t run) const; ///< stamps the row and rewrites run.json
    Result<void> appendHistory(std::int64_t run, const char* table, const Row& row) const;
    std::optional<std::string> folderOf(std::int64_t run) const;
    std::filesystem::path pathOf(std::int64_t run) const;
    RunRecord recordOf(SQLite::Statement& row) const;
    void addTags(std::vector<RunRecord>& runs) const;
    CheckpointRecord checkpointOf(SQLite::Statement& row) const;
    std::int64_t nextNumber() const;
    Result<RunRecord> makeRun(const NewRun& run) const;
    Result<void> fillFolder(std::int64_t id, const std::filesystem::path& folder, const NewRun& run) const;
    std::optional<std::int64_t> runOf(const std::string& reference) const;
    Result<void> purgeRun(std::int64_t id);
    Result<void> purgeCheckpoint(std::int64_t id);

    Error noRun(std::int64_t id) const;
    Error noCheckpoint(std::int64_t id) const;
    Error readOnlyError() const;

    std::filesystem::path m_folder;
    std::unique_ptr<Database> m_database;
    bool m_isReadOnly;
    mutable std::mutex m_mutex;
};

/// What run.json holds: the rows of run `id` as a JSON object. Throws SQLite::Exception.
nlohmann::json runFile(const Database& database, std::int64_t id);

} // namespace trainyard
