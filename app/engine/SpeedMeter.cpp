#include "app/engine/SpeedMeter.h"

#include "core/base/Clock.h"

#include <algorithm>

namespace trainyard {

SpeedMeter::SpeedMeter(std::function<double()> clock) : m_clock(clock ? std::move(clock) : steadySeconds) {}

void SpeedMeter::start(std::int64_t iterations) {
    m_seconds.clear();
    m_sum = 0;
    m_seen = 0;
    m_iteration = 0;
    m_iterations = iterations;
    m_apartSince = -1;
}

void SpeedMeter::onPhase(const PhaseReport& report) {
    if (report.iterations > 0)
        m_iterations = report.iterations;
    const double now = m_clock();
    if (report.phase == Phase::Running) {
        if (m_apartSince >= 0)
            m_lastStep += now - m_apartSince; // what lay apart does not count down
        m_apartSince = -1;
    } else if (m_apartSince < 0) {
        m_apartSince = now;
    }
}

void SpeedMeter::onStep(const StepReport& report) {
    m_iteration = report.iteration;
    m_lastStep = m_clock();
    m_apartSince = -1;
    if (++m_seen <= kSkipped)
        return;
    m_seconds.push_back(report.seconds.total);
    if (m_seconds.size() > kWindow)
        m_seconds.pop_front();
    m_sum = 0; // summed anew: a running difference would drift
    for (const double seconds : m_seconds)
        m_sum += seconds;
}

double SpeedMeter::iterationsPerSecond() const {
    return m_sum > 0 ? double(m_seconds.size()) / m_sum : 0.0;
}

std::optional<double> SpeedMeter::secondsLeft() const {
    const std::int64_t remaining = m_iterations - m_iteration;
    if (remaining <= 0 && m_seen > 0)
        return 0.0;
    const double speed = iterationsPerSecond();
    if (speed <= 0)
        return std::nullopt;
    const double now = m_apartSince >= 0 ? m_apartSince : m_clock();
    return std::max(0.0, double(remaining) / speed - (now - m_lastStep));
}

} // namespace trainyard
