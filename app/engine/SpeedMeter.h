#pragma once

#include "core/telemetry/StepReport.h"

#include <cstdint>
#include <deque>
#include <functional>
#include <optional>

namespace trainyard {

/// How fast a run goes and how long it still takes, from this session's own iterations. Evaluations, checkpoints and
/// pauses are kept apart, and so are the first iterations after a start, which are slower than the rest. One thread at
/// a time.
class SpeedMeter {
public:
    static constexpr int kSkipped = 3;  ///< first iterations of a session that do not count
    static constexpr int kWindow = 100; ///< newest iterations that do

    /// `clock` gives seconds that never run backwards; empty is the machine's.
    explicit SpeedMeter(std::function<double()> clock = {});

    /// A new session, of a run that is planned to end after `iterations` updates.
    void start(std::int64_t iterations);
    void onPhase(const PhaseReport& report);
    void onStep(const StepReport& report);

    /// 0 until it is known.
    double iterationsPerSecond() const;
    /// Never negative; nothing until it is known.
    std::optional<double> secondsLeft() const;

private:
    std::function<double()> m_clock;
    std::deque<double> m_seconds; ///< of the newest iterations
    double m_sum = 0;
    int m_seen = 0;
    std::int64_t m_iteration = 0, m_iterations = 0;
    double m_lastStep = 0;    ///< when the newest iteration ended
    double m_apartSince = -1; ///< when a phase that does not count began; negative while iterating
};

} // namespace trainyard
