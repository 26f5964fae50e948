#pragma once

#include "core/config/RunConfig.h"

#include <cstdint>
#include <memory>

namespace trainyard {

/// The learning rate as a function of the iteration, and of nothing else: a resumed run and the schedule preview draw
/// the same curve. Immutable, so any thread may ask. No LibTorch here: the window draws it too.
class LearningRatePolicy {
public:
    virtual ~LearningRatePolicy() = default;

    /// Rate for update number `iteration`, counted from 0.
    virtual double rateAt(std::int64_t iteration) const = 0;
};

/// The policy of a validated configuration, warm-up included.
std::unique_ptr<LearningRatePolicy> makePolicy(const SolveConfig& config);

/// By what factor two rates differ, at least 1; a rate of nothing counts as 1e-10.
double rateRatio(double one, double other);

} // namespace trainyard
