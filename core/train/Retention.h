#pragma once

#include "core/train/CheckpointCatalog.h"

#include <cstdint>
#include <vector>

namespace trainyard {

/// Which checkpoints stay: the last `keepLast`, one every `keepEveryHours` (the oldest counts as the first), and
/// always the pinned, best and final ones.
struct RetentionRule {
    std::int64_t keepLast = 3;   ///< at least 1
    double keepEveryHours = 0.0; ///< 0 is off
};

/// The entries that the rule lets go, oldest first. `entries` is oldest first. Whatever it keeps it keeps again when
/// asked later with fewer entries.
std::vector<CatalogEntry> superfluous(const std::vector<CatalogEntry>& entries, const RetentionRule& rule);

} // namespace trainyard
