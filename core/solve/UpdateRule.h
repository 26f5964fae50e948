#pragma once

#include "core/config/RunConfig.h"

#include <ATen/core/Tensor.h>

#include <array>
#include <memory>
#include <string>
#include <vector>

namespace trainyard {

/// A stretch of one parameter with what its update needs.
struct UpdateSpan {
    float* weight = nullptr;
    const float* gradient = nullptr;
    std::array<float*, 2> state{}; ///< in the order of UpdateRule::stateNames
    std::int64_t count = 0;
};

/// What an optimiser does to one parameter. Each rule exists twice: as a loop over plain memory, and as LibTorch's
/// operators for every other device and type. Immutable.
class UpdateRule {
public:
    /// Of one update: `step` counts this parameter's updates from 1.
    struct Terms {
        double rate = 0, decay = 0;
        std::int64_t step = 0;
    };

    virtual ~UpdateRule() = default;
    virtual std::vector<std::string> stateNames() const = 0;   ///< at most two tensors of the parameter's shape
    virtual double firstValue(std::size_t) const { return 0; } ///< that the state of this index begins with
    /// Returns the sum of the squares of the change.
    virtual double updateSpan(const UpdateSpan& span, const Terms& terms) const = 0;
    /// What must be subtracted from `weight`; `state` is changed in place. `gradient` includes the decay.
    virtual at::Tensor update(const at::Tensor& gradient, std::vector<at::Tensor>& state, const Terms& terms) const = 0;
};

std::unique_ptr<UpdateRule> makeUpdateRule(const SolveConfig& config);

} // namespace trainyard
