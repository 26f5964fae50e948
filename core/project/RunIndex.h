#pragma once

#include "core/project/Project.h"

#include <deque>
#include <functional>

namespace trainyard {

/// What a recorder owes its run's row in the project: events, evaluations and checkpoints in order, status and progress
/// as their newest values. Whatever could not be written stays owed. The recorder's thread only.
class RunIndex {
public:
    RunIndex(std::unique_ptr<Project> project, const RunRecord& run);

    void note(const PhaseReport& report);
    void note(const StepReport& report);
    void note(const EvaluationReport& report);
    void note(const CheckpointReport& report);
    void note(const RunEvent& event);

    /// Writes what is owed; progress only when `isAll` or some time after the last time.
    Result<void> write(bool isAll);

private:
    using Deed = std::function<Result<void>(Project&)>;

    Result<void> writeProgress(bool isAll);
    Result<void> writeIterations();
    Result<void> adopt(Project& project, const CheckpointReport& report) const;
    void setStatus(RunStatus status, const std::string& error = "");

    std::unique_ptr<Project> m_project;
    std::int64_t m_run;
    std::filesystem::path m_folder;
    std::deque<Deed> m_owed; ///< oldest first
    RunStatus m_status = RunStatus::Preparing;
    bool m_hasEnded = false; ///< a phase that is reported late changes nothing any more
    std::int64_t m_iteration, m_iterations, m_iterationsWritten;
    double m_loss, m_seconds;
    bool m_hasProgress = false;
    double m_progressWritten = 0; ///< steady seconds
};

} // namespace trainyard
