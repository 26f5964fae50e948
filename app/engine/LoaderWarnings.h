#pragma once

#include "core/telemetry/RunSink.h"

#include <functional>
#include <mutex>
#include <string>
#include <vector>

namespace trainyard {

/// Carries what loader threads have to say to the engine thread: `box()` may be called from any thread, the sentences
/// become Warning events with the next report of the engine.
class LoaderWarnings final : public RunSink {
public:
    /// `target` hears the events; it may be the fan that this is part of.
    explicit LoaderWarnings(RunSink& target) : m_target(target) {}

    std::function<void(const std::string& sentence)> box();
    void deliver(std::int64_t iteration); ///< engine thread

    void onPhase(const PhaseReport& report) override { deliver(report.iteration); }
    void onStep(const StepReport& report) override { deliver(report.iteration); }
    void onEvaluation(const EvaluationReport& report) override { deliver(report.iteration); }

private:
    RunSink& m_target;
    std::mutex m_mutex;
    std::vector<std::string> m_sentences;
};

} // namespace trainyard
