#include "app/workbench/engine/EngineRecorder.h"

namespace trainyard {
namespace {

constexpr std::size_t kMostWarnings = 200;

RunStatus statusOf(Phase phase) {
    switch (phase) {
    case Phase::Preparing:
        return RunStatus::Preparing;
    case Phase::Paused:
        return RunStatus::Paused;
    case Phase::Stopping:
        return RunStatus::Stopping;
    case Phase::Running:
    case Phase::Evaluating:
    case Phase::Checkpointing:
        break;
    }
    return RunStatus::Running;
}

} // namespace

void EngineRecorder::begin(std::int64_t run, std::int64_t iterations) {
    std::lock_guard lock(m_mutex);
    m_state = {};
    m_state.isBusy = true;
    m_state.run = run;
    m_state.status = RunStatus::Preparing;
    m_state.phase.iterations = iterations;
    m_isStopping = false;
    m_speed = SpeedMeter();
    m_speed.start(iterations);
}

void EngineRecorder::end(const SessionOutcome& outcome, bool isChangeRefused) {
    std::lock_guard lock(m_mutex);
    m_state.isBusy = false;
    m_state.status = outcome.status;
    m_state.error = outcome.error;
    m_state.isChangeRefused = isChangeRefused;
    m_state.isDiscarded = outcome.isDiscarded;
    m_state.secondsLeft = -1;
}

void EngineRecorder::stopping() {
    std::lock_guard lock(m_mutex);
    m_isStopping = m_state.isBusy;
    if (m_isStopping)
        m_state.status = RunStatus::Stopping;
}

EngineState EngineRecorder::state() const {
    std::lock_guard lock(m_mutex);
    EngineState state = m_state;
    state.iterationsPerSecond = m_speed.iterationsPerSecond();
    state.secondsLeft = m_speed.secondsLeft().value_or(-1);
    return state;
}

void EngineRecorder::onPhase(const PhaseReport& report) {
    std::lock_guard lock(m_mutex);
    const bool isOtherPlan = report.iterations > 0 && report.iterations != m_state.phase.iterations;
    const std::int64_t iterations = report.iterations > 0 ? report.iterations : m_state.phase.iterations;
    m_state.phase = report;
    m_state.phase.iterations = iterations;
    m_state.status = m_isStopping ? RunStatus::Stopping : statusOf(report.phase);
    if (isOtherPlan)
        m_speed.start(iterations);
    m_speed.onPhase(report);
}

void EngineRecorder::onStep(const StepReport& report) {
    std::lock_guard lock(m_mutex);
    m_state.step = report;
    m_speed.onStep(report);
}

void EngineRecorder::onEvent(const RunEvent& event) {
    if (event.kind != EventKind::Warning)
        return;
    std::lock_guard lock(m_mutex);
    if (m_state.warnings.size() < kMostWarnings)
        m_state.warnings.push_back(event.text);
}

} // namespace trainyard
