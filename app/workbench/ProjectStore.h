#pragma once

#include "core/base/Error.h"
#include "core/project/Project.h"

#include <QObject>
#include <QString>
#include <QStringList>

#include <filesystem>
#include <functional>
#include <memory>
#include <set>
#include <vector>

class QThread;

namespace trainyard {

/// The project as the window shows it, read at one moment. Immutable; any thread.
struct ProjectSnapshot {
    std::filesystem::path folder;
    bool isReadOnly = false;
    std::vector<RunRecord> runs;
    std::vector<RunRecord> deletedRuns;              ///< that can be restored
    std::vector<EvaluationRecord> newestEvaluations; ///< one of each run that has any
    std::set<std::int64_t> startsOver; ///< lost runs without a checkpoint: to resume one is to begin it anew
    std::int64_t shownRun = 0;         ///< whose details follow; 0 is none
    std::vector<CheckpointRecord> checkpoints;
    std::vector<RunEvent> events;
    std::vector<EvaluationRecord> evaluations;
    RunProvenance provenance;
    std::string windowSettings; ///< as stored when the project was opened

    const RunRecord* find(std::int64_t run) const;
    const RunRecord* shown() const { return find(shownRun); }
};

/// Reads and changes the open project on a thread of its own and tells the window when anything changed, whoever
/// changed it. UI thread only.
class ProjectStore final : public QObject {
    Q_OBJECT
public:
    explicit ProjectStore(QObject* parent = nullptr);
    ~ProjectStore() override; ///< finishes what was asked for, then joins its thread

    /// Answered by `opened` or `openFailed`. A project that cannot be written is opened read-only.
    void open(const std::filesystem::path& folder, bool create);
    /// Makes the index of the project anew from its run folders, then opens it; answered as `open` is, then `rebuilt`.
    void rebuild(const std::filesystem::path& folder);
    bool isOpen() const { return m_snapshot != nullptr; }
    std::shared_ptr<const ProjectSnapshot> snapshot() const { return m_snapshot; }

    std::int64_t shownRun() const { return m_shownRun; }
    void setShownRun(std::int64_t run);

    /// Does `deed` on the store's thread, then reads anew; a failure is told by `failed`, `then` follows success.
    void perform(std::function<Result<void>(Project&)> deed, std::function<void()> then = {});
    void refresh();

Q_SIGNALS:
    void opened();
    void openFailed(const trainyard::Error& error);
    void rebuilt(const QStringList& found); ///< a sentence a run, and where the old index is kept
    void changed();
    void shownRunChanged();
    void failed(const trainyard::Error& error);

private:
    class Worker;
    QThread* m_thread;
    Worker* m_worker;
    std::shared_ptr<const ProjectSnapshot> m_snapshot;
    std::int64_t m_shownRun = 0;
    int m_choice = 0; ///< counts choices of a run: a snapshot from before the newest one does not undo it
};

} // namespace trainyard
