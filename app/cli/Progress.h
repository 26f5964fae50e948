#pragma once

#include "app/engine/SpeedMeter.h"
#include "core/telemetry/RunSink.h"

#include <condition_variable>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

namespace trainyard::cli {

/// Tells a person on standard error how a run goes: a bar that moves on a terminal, plain lines elsewhere. The engine
/// thread only leaves its newest figures here; a thread of its own draws them.
class Progress final : public RunSink {
public:
    Progress(int descriptor, bool isTerminal);
    ~Progress() override; ///< says what is left to say
    Progress(const Progress&) = delete;
    Progress& operator=(const Progress&) = delete;

    void say(const std::string& line);

    void onPhase(const PhaseReport& report) override;
    void onStep(const StepReport& report) override;
    void onEvaluation(const EvaluationReport& report) override;
    void onCheckpoint(const CheckpointReport& report) override;
    void onEvent(const RunEvent& event) override;

private:
    void work();
    std::string status() const; ///< the moving line; needs the lock
    void draw(const std::vector<std::string>& lines, const std::string& status);

    const int m_descriptor;
    const bool m_isTerminal;
    std::mutex m_mutex;
    std::condition_variable m_changed;
    std::vector<std::string> m_lines; ///< to be said once
    SpeedMeter m_speed;
    PhaseReport m_phase;
    StepReport m_step;
    bool m_hasNews = false;
    bool m_isEnding = false;
    std::thread m_thread;
};

} // namespace trainyard::cli
