#pragma once

#include "app/engine/SpeedMeter.h"
#include "app/workbench/engine/Engine.h"
#include "core/telemetry/RunSink.h"

#include <mutex>

namespace trainyard {

/// The newest of everything an engine reports, as an EngineState. The engine thread reports, any thread asks.
class EngineRecorder final : public RunSink {
public:
    void begin(std::int64_t run, std::int64_t iterations);
    void end(const SessionOutcome& outcome, bool isChangeRefused);
    void stopping(); ///< a stop was asked for
    EngineState state() const;

    void onPhase(const PhaseReport& report) override;
    void onStep(const StepReport& report) override;
    void onEvent(const RunEvent& event) override;

private:
    mutable std::mutex m_mutex;
    EngineState m_state;
    SpeedMeter m_speed;
    bool m_isStopping = false;
};

} // namespace trainyard
