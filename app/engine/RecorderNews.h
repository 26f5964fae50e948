#pragma once

#include "core/project/RunRecorder.h"
#include "core/telemetry/RunSink.h"

namespace trainyard {

/// Passes on, with the engine's next report, what the recorder noticed about the run's files; it has recorded that
/// itself.
class RecorderNews final : public RunSink {
public:
    RecorderNews(RunRecorder& recorder, RunSink& target) : m_recorder(recorder), m_target(target) {}

    void deliver() {
        for (const RunEvent& event : m_recorder.takeNews())
            m_target.onEvent(event);
    }
    void onPhase(const PhaseReport&) override { deliver(); }
    void onStep(const StepReport&) override { deliver(); }
    void onEvaluation(const EvaluationReport&) override { deliver(); }

private:
    RunRecorder& m_recorder;
    RunSink& m_target;
};

} // namespace trainyard
