#pragma once

#include "core/telemetry/StepReport.h"

#include <deque>
#include <map>
#include <optional>
#include <string>

namespace trainyard {

/// The json_stats lines of Detectron's log, field by field as its TrainingStats writes them: medians over the last 20
/// iterations, keys sorted, every number with a fraction as a string of six decimals. `iter` counts from 0.
/// Source: the Detectron trainer's behaviour, section 3 of its specification; Python's json.dumps for the spacing.
class JsonStats {
public:
    static constexpr std::int64_t kPeriod = 20; ///< iterations between lines, and the medians' window

    /// `finished` updates are done before this session; `iterations` are planned.
    JsonStats(std::int64_t iterations, std::int64_t finished) : m_iterations(iterations), m_first(finished) {}

    /// Takes an iteration in; its line where one is due.
    std::optional<std::string> lineFor(const StepReport& report);

private:
    std::string line(const StepReport& report) const;

    std::int64_t m_iterations, m_first;
    std::map<std::string, std::deque<double>> m_windows; ///< losses and metrics by name
    std::deque<double> m_loss, m_queue;
    double m_seconds = 0; ///< since the timer was reset, of m_timed iterations
    std::int64_t m_timed = 0;
    std::int64_t m_memory = 0; ///< the most so far, in bytes
};

/// "0:01:05", "1 day, 2:03:04": as Python writes a timedelta.
std::string timeLeftText(std::int64_t seconds);

} // namespace trainyard
