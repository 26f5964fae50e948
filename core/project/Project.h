#pragma once

#include "core/base/Error.h"
#include "core/project/DataRoots.h"
#include "core/telemetry/StepReport.h"

#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace trainyard {

/// A run as lists show it, from its summary row alone.
struct RunRecord {
    std::int64_t id = 0; ///< its number in the project
    std::string name;
    std::string folder; ///< relative to the project: "runs/12-crnn-words"
    std::string modelType;
    std::string task;                     ///< "detection", "recognition"
    RunStatus status = RunStatus::Queued; ///< Lost where its owner died
    std::int64_t iteration = 0, iterations = 0;
    double loss = 0;
    double seconds = 0; ///< spent training, all sessions
    std::int64_t createdMicroseconds = 0, updatedMicroseconds = 0;
    std::optional<double> bestMetric;
    std::string bestMetricName;
    std::optional<std::int64_t> parentCheckpoint; ///< of a fine-tune
    std::vector<std::string> tags;
    std::string notes;
    std::string error;       ///< why it failed
    std::int64_t colour = 0; ///< index of its series colour
    std::string group;       ///< which runs it belongs with; empty is none
    bool isDeleted = false;  ///< marked for deletion, can be undone
};

/// What is stored once, when a run is made.
struct NewRun {
    std::string name;
    std::string modelType;
    std::string task;
    std::string config; ///< resolved YAML
    std::vector<std::string> overrides;
    std::uint64_t seed = 0;
    std::string codeVersion, libraries, device; ///< text for people
    std::string dataFingerprint;
    std::int64_t iterations = 0;
    std::optional<std::int64_t> parentCheckpoint;
};

struct RunProvenance {
    std::string config;
    std::vector<std::string> overrides;
    std::uint64_t seed = 0;
    std::string codeVersion, libraries, device, dataFingerprint;
};

struct CheckpointRecord {
    std::int64_t id = 0;
    std::int64_t run = 0;
    std::int64_t session = 0; ///< which start of the run made it
    CheckpointReport report;  ///< `path` is relative to the run's folder
    bool isPinned = false, isBest = false, isFinal = false;
    bool isAbandoned = false; ///< on a tail that a resume from an older checkpoint left behind
    bool isMissing = false;   ///< the file is gone
    bool isDeleted = false;   ///< marked for deletion, can be undone
    std::optional<double> metric;
};

struct EvaluationRecord {
    std::int64_t id = 0, run = 0;
    EvaluationReport report;
    std::int64_t wallMicroseconds = 0;
};

/// A folder with `project.sqlite` and `runs/`. Paths inside are relative to it, so a moved project opens. All calls may
/// be made from any thread, one at a time on one object; each process and thread opens its own.
class Project {
public:
    enum class Mode { ReadOnly, ReadWrite };

    /// Opens, migrating an older version forward; with `create` an empty project is made where there is none.
    /// Damaged error: locked for long, read-only, newer than this program, not a project, damaged.
    static Result<std::unique_ptr<Project>> open(const std::filesystem::path& folder, Mode mode, bool create = false);
    /// The nearest folder upwards from `start` that holds a project.sqlite.
    static std::optional<std::filesystem::path> nearest(const std::filesystem::path& start);

    virtual ~Project() = default;
    virtual const std::filesystem::path& folder() const = 0;
    virtual bool isReadOnly() const = 0;

    // runs
    virtual Result<RunRecord> createRun(const NewRun& run) = 0; ///< makes its folder, config.yaml and series.sqlite too
    virtual Result<std::vector<RunRecord>> runs() const = 0;    ///< oldest first, deleted ones left out
    virtual Result<std::vector<RunRecord>> deletedRuns() const = 0; ///< those that `restoreRun` can bring back
    virtual Result<RunRecord> run(std::int64_t id) const = 0;
    /// By number, "#12", name (the newest of that name) or folder.
    virtual Result<RunRecord> findRun(const std::string& reference) const = 0;
    virtual Result<RunProvenance> provenance(std::int64_t id) const = 0;
    virtual Result<void> setStatus(std::int64_t id, RunStatus status, const std::string& error = "") = 0;
    virtual Result<void> setProgress(std::int64_t id, std::int64_t iteration, double loss, double seconds) = 0;
    virtual Result<void> setIterations(std::int64_t id, std::int64_t iterations) = 0;
    virtual Result<void> setConfig(std::int64_t id, const std::string& yaml) = 0; ///< changed before a resume
    /// What decides a run's last digits beside its configuration: known once its data is read, changed when a resume
    /// goes on with other data, libraries or machine.
    virtual Result<void> setEnvironment(std::int64_t id, const std::string& libraries, const std::string& device,
                                        const std::string& dataFingerprint) = 0;
    virtual Result<void> setBest(std::int64_t id, const std::string& metric, double value) = 0;
    virtual Result<void> rename(std::int64_t id, const std::string& name) = 0;
    virtual Result<void> setNotes(std::int64_t id, const std::string& notes) = 0;
    virtual Result<void> setTags(std::int64_t id, const std::vector<std::string>& tags) = 0;
    virtual Result<void> setGroup(std::int64_t id, const std::string& group) = 0;
    virtual Result<void> setColour(std::int64_t id, std::int64_t colour) = 0; ///< index of a series colour, from 0
    virtual Result<void> deleteRun(std::int64_t id) = 0; ///< can be undone until purge()
    virtual Result<void> restoreRun(std::int64_t id) = 0;
    /// Takes back a run that never could start: its row and the files that a project wrote. Cannot be undone.
    virtual Result<void> discardRun(std::int64_t id) = 0;
    /// A new start of a run, from `fromIteration`: later checkpoints and points become an abandoned tail.
    virtual Result<std::int64_t> beginSession(std::int64_t id, std::int64_t fromIteration) = 0;

    // checkpoints
    virtual Result<std::vector<CheckpointRecord>> checkpoints(std::int64_t run) const = 0; ///< 0: of every run
    virtual Result<CheckpointRecord> checkpoint(std::int64_t id) const = 0;
    virtual Result<std::int64_t> addCheckpoint(std::int64_t run, const CheckpointReport& report) = 0;
    virtual Result<void> setPinned(std::int64_t checkpoint, bool isPinned) = 0;
    virtual Result<void> setMetric(std::int64_t run, std::int64_t iteration, double metric, bool isBest) = 0;
    virtual Result<void> markFinal(std::int64_t run, std::int64_t iteration) = 0;
    virtual Result<void> deleteCheckpoint(std::int64_t checkpoint) = 0; ///< can be undone until purge()
    virtual Result<void> restoreCheckpoint(std::int64_t checkpoint) = 0;
    virtual Result<void> removeCheckpointNow(std::int64_t checkpoint) = 0; ///< the row; retention deletes the file
    /// Deletes the files of what was deleted and not restored; only files that a project wrote.
    virtual Result<void> purge() = 0;

    // events, evaluations
    virtual Result<void> addEvent(std::int64_t run, const RunEvent& event) = 0;
    virtual Result<std::vector<RunEvent>> events(std::int64_t run) const = 0;
    virtual Result<void> addEvaluation(std::int64_t run, const EvaluationReport& report) = 0;
    virtual Result<std::vector<EvaluationRecord>> evaluations(std::int64_t run) const = 0;
    /// The newest one of each run that has any and is not deleted, by the runs' numbers.
    virtual Result<std::vector<EvaluationRecord>> newestEvaluations() const = 0;

    // named folders of data, see DataRoots.h
    virtual Result<std::vector<DataRoot>> dataRoots() const = 0; ///< by name
    /// Makes or re-points one. A folder inside the project is kept relative to it and moves with it.
    virtual Result<void> setDataRoot(const std::string& name, const std::string& folder) = 0;
    virtual Result<void> removeDataRoot(const std::string& name) = 0;

    // settings of the window, per project (page, columns, zoom)
    virtual Result<void> setSetting(const std::string& key, const std::string& value) = 0;
    virtual std::string setting(const std::string& key) const = 0;

    /// Changes whenever any process changed the project; cheap to ask.
    virtual std::int64_t dataVersion() const = 0;
};

/// What is wrong between project.sqlite and the run folders, a sentence each; empty when all agrees.
Result<std::vector<std::string>> checkProject(const std::filesystem::path& folder);
/// Makes the index anew from the run folders (each keeps a run.json beside its points); says what it found.
Result<std::vector<std::string>> rebuildProject(const std::filesystem::path& folder);

/// The proof that a run has a living owner: held while a process trains it. Released by the destructor or by death.
class RunLock {
public:
    static Result<std::unique_ptr<RunLock>>
    acquire(const std::filesystem::path& runFolder); ///< Damaged when another has it
    static bool isHeld(const std::filesystem::path& runFolder);
    virtual ~RunLock() = default;
};

} // namespace trainyard
