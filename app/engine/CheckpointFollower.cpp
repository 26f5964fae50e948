#include "app/engine/CheckpointFollower.h"

#include <algorithm>

namespace trainyard {

namespace {
constexpr double kGlance = 1.0; ///< seconds between two looks at the list
}

Result<std::optional<CheckpointRecord>> CheckpointFollower::oldestUnseen() const {
    auto records = m_run.checkpoints();
    if (!records)
        return records.error();
    std::optional<CheckpointRecord> oldest;
    for (const CheckpointRecord& record : *records) {
        const bool isThere = !record.isAbandoned && !record.isMissing && !record.isDeleted;
        if (isThere && !m_seen.contains(record.id) && (!oldest || record.report.iteration < oldest->report.iteration))
            oldest = record;
    }
    return oldest;
}

Result<std::optional<CheckpointRecord>> CheckpointFollower::next() {
    for (;;) {
        const auto isTrained = m_run.isTrained(); // asked first: what came before its end is in the list then
        if (!isTrained)
            return isTrained.error();
        const auto found = oldestUnseen();
        if (!found)
            return found.error();
        const double now = m_run.seconds();
        const double rest = m_lastSeconds ? *m_lastSeconds + m_interval - now : 0.0;
        if (*found && rest <= 0) {
            m_lastSeconds = now;
            m_seen.insert((*found)->id);
            return found;
        }
        if (!*found && !*isTrained)
            return std::optional<CheckpointRecord>();
        if (!m_run.sleep(*found ? rest : kGlance))
            return std::optional<CheckpointRecord>();
    }
}

} // namespace trainyard
