#pragma once

#include "core/base/Error.h"
#include "core/telemetry/StepReport.h"

#include <optional>
#include <vector>

namespace trainyard {

/// A checkpoint as retention sees it.
struct CatalogEntry {
    std::int64_t id = 0;
    CheckpointReport report;
    bool isPinned = false;
    bool isBest = false;
    bool isFinal = false;
    std::optional<double> metric; ///< of train.best_metric, where it was evaluated
};

/// The list of a run's checkpoints, kept by the project. Called on the trainer's thread or its checkpoint writer's, one
/// at a time. Files are added here after they are complete and verified, and removed here before they are deleted.
class CheckpointCatalog {
public:
    virtual ~CheckpointCatalog() = default;
    virtual Result<std::int64_t> add(const CheckpointReport& report) = 0;
    virtual Result<void> remove(std::int64_t id) = 0;
    virtual Result<void> setMetric(std::int64_t iteration, double metric, bool isBest) = 0;
    virtual Result<void> markFinal(std::int64_t iteration) = 0;
    virtual Result<std::vector<CatalogEntry>> entries() const = 0; ///< of the current branch, oldest first
};

} // namespace trainyard
