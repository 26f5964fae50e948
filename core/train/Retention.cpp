#include "core/train/Retention.h"

#include <algorithm>
#include <optional>

namespace trainyard {

std::vector<CatalogEntry> superfluous(const std::vector<CatalogEntry>& entries, const RetentionRule& rule) {
    const auto recent = std::min(entries.size(), std::size_t(std::max<std::int64_t>(1, rule.keepLast)));
    const double interval = rule.keepEveryHours * 3600e6; // microseconds
    std::optional<std::int64_t> milestone;
    std::vector<CatalogEntry> leaving;
    for (std::size_t i = 0; i < entries.size(); ++i) {
        const CatalogEntry& entry = entries[i];
        const std::int64_t made = entry.report.wallMicroseconds;
        const bool isMilestone = interval > 0 && (!milestone || double(made - *milestone) >= interval);
        if (isMilestone)
            milestone = made;
        const bool isRecent = i + recent >= entries.size();
        if (!isRecent && !isMilestone && !entry.isPinned && !entry.isBest && !entry.isFinal)
            leaving.push_back(entry);
    }
    return leaving;
}

} // namespace trainyard
