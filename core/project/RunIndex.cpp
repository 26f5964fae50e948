#include "core/project/RunIndex.h"

#include "core/base/Clock.h"

#include <algorithm>

namespace trainyard {
namespace {

constexpr double kProgressSeconds = 0.4; // between two updates of the row

RunStatus statusOf(Phase phase) {
    switch (phase) {
    case Phase::Preparing:
        return RunStatus::Preparing;
    case Phase::Running:
    case Phase::Evaluating:
    case Phase::Checkpointing:
        return RunStatus::Running;
    case Phase::Paused:
        return RunStatus::Paused;
    case Phase::Stopping:
        return RunStatus::Stopping;
    }
    return RunStatus::Running;
}

} // namespace

RunIndex::RunIndex(std::unique_ptr<Project> project, const RunRecord& run)
    : m_project(std::move(project)), m_run(run.id), m_folder(m_project->folder() / run.folder),
      m_iteration(run.iteration), m_iterations(run.iterations), m_iterationsWritten(run.iterations), m_loss(run.loss),
      m_seconds(run.seconds) {}

void RunIndex::setStatus(RunStatus status, const std::string& error) {
    if (status == m_status && error.empty())
        return;
    m_status = status;
    m_owed.push_back([run = m_run, status, error](Project& project) { return project.setStatus(run, status, error); });
}

void RunIndex::note(const PhaseReport& report) {
    if (report.iterations > 0)
        m_iterations = report.iterations;
    if (!m_hasEnded)
        setStatus(statusOf(report.phase));
}

void RunIndex::note(const StepReport& report) {
    m_iteration = report.iteration;
    m_loss = report.loss;
    m_seconds += report.seconds.total;
    m_hasProgress = true;
    if (!m_hasEnded && m_status == RunStatus::Preparing)
        setStatus(RunStatus::Running);
}

void RunIndex::note(const EvaluationReport& report) {
    m_owed.push_back([run = m_run, report](Project& project) { return project.addEvaluation(run, report); });
}

void RunIndex::note(const CheckpointReport& report) {
    m_owed.push_back([this, report](Project& project) { return adopt(project, report); });
}

void RunIndex::note(const RunEvent& event) {
    m_owed.push_back([run = m_run, event](Project& project) { return project.addEvent(run, event); });
    m_hasEnded = m_hasEnded || event.kind == EventKind::Stopped || event.kind == EventKind::Finished ||
                 event.kind == EventKind::Failed;
    if (event.kind == EventKind::Stopped)
        setStatus(RunStatus::Stopped);
    if (event.kind == EventKind::Finished)
        setStatus(RunStatus::Finished);
    if (event.kind == EventKind::Failed)
        setStatus(RunStatus::Failed, event.text);
}

/// The trainer's catalogue has added the row already; this is for an engine that has none. What retention took away in
/// the meantime is not brought back.
Result<void> RunIndex::adopt(Project& project, const CheckpointReport& report) const {
    const auto known = project.checkpoints(m_run);
    if (!known)
        return known.error();
    const bool isKnown = std::any_of(known->begin(), known->end(), [&](const CheckpointRecord& row) {
        return row.report.path == report.path || row.report.iteration > report.iteration;
    });
    std::error_code failed;
    if (isKnown || !std::filesystem::exists(m_folder / report.path, failed))
        return {};
    if (auto added = project.addCheckpoint(m_run, report); !added)
        return added.error();
    return {};
}

Result<void> RunIndex::write(bool isAll) {
    const bool hasNews = !m_owed.empty();
    if (auto done = writeProgress(isAll || hasNews); !done)
        return done;
    if (auto done = writeIterations(); !done)
        return done;
    while (!m_owed.empty()) {
        if (auto done = m_owed.front()(*m_project); !done && done.error().kind != ErrorKind::Usage)
            return done;
        m_owed.pop_front(); // also when the run or checkpoint is gone, which no later try would change
    }
    return {};
}

Result<void> RunIndex::writeProgress(bool isAll) {
    if (!m_hasProgress || (!isAll && steadySeconds() - m_progressWritten < kProgressSeconds))
        return {};
    auto written = m_project->setProgress(m_run, m_iteration, m_loss, m_seconds);
    if (written || written.error().kind == ErrorKind::Usage) {
        m_hasProgress = false;
        m_progressWritten = steadySeconds();
        return {};
    }
    return written;
}

Result<void> RunIndex::writeIterations() {
    if (m_iterations == m_iterationsWritten)
        return {};
    if (auto written = m_project->setIterations(m_run, m_iterations); !written)
        return written;
    m_iterationsWritten = m_iterations;
    return {};
}

} // namespace trainyard
