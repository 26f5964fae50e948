#pragma once

#include "core/base/Error.h"
#include "core/project/Project.h"

#include <functional>
#include <optional>
#include <set>
#include <vector>

namespace trainyard {

/// What following a run needs of the world; tests put a clock and a list of their own here.
struct FollowedRun {
    std::function<Result<std::vector<CheckpointRecord>>()> checkpoints;
    std::function<Result<bool>()> isTrained;   ///< whether more of them may come
    std::function<double()> seconds;           ///< a clock that never runs backwards
    std::function<bool(double seconds)> sleep; ///< false where somebody wants to leave
};

/// Gives out each checkpoint of a run once, in the order of their iterations, waiting for new ones until the run is
/// trained no longer. One thread.
class CheckpointFollower {
public:
    /// Two are given out at least `interval` seconds apart.
    CheckpointFollower(FollowedRun run, double interval) : m_run(std::move(run)), m_interval(interval) {}

    /// The next one whose file is there; nothing at the end, or where somebody wants to leave.
    Result<std::optional<CheckpointRecord>> next();

private:
    Result<std::optional<CheckpointRecord>> oldestUnseen() const;

    FollowedRun m_run;
    double m_interval;
    std::optional<double> m_lastSeconds; ///< when one was given out
    std::set<std::int64_t> m_seen;
};

} // namespace trainyard
