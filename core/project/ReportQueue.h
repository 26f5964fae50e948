#pragma once

#include "core/telemetry/StepReport.h"

#include <mutex>
#include <utility>
#include <variant>
#include <vector>

namespace trainyard {

using Report = std::variant<StepReport, PhaseReport, StatisticsReport, EvaluationReport, CheckpointReport, RunEvent>;

/// The door between an engine and its recorder: two buffers that change places. `put` copies one report under a mutex
/// that the other side holds only for that exchange, so the engine never waits for a disk. The buffers have room for
/// some seconds of reports and keep it; beyond that they grow, for nothing is dropped. Any thread puts, one takes.
class ReportQueue {
public:
    ReportQueue() { m_reports.reserve(kRoom); }

    template <class T>
    void put(const T& report) {
        Report copy(report);
        std::lock_guard lock(m_mutex);
        m_reports.push_back(std::move(copy));
    }

    /// Everything put so far; `buffer` gives its memory back for the next reports.
    void take(std::vector<Report>& buffer) {
        buffer.clear();
        buffer.reserve(kRoom);
        std::lock_guard lock(m_mutex);
        buffer.swap(m_reports);
    }

private:
    static constexpr std::size_t kRoom = 1024;
    std::mutex m_mutex;
    std::vector<Report> m_reports;
};

} // namespace trainyard
