#pragma once

#include "core/base/Error.h"
#include "core/solve/Parameter.h"

#include <memory>
#include <vector>

namespace trainyard {

/// Turns gradients into updates. SGD follows torch.optim.SGD (momentum, Nesterov, coupled decay), Adam torch.optim.Adam,
/// Adadelta torch.optim.Adadelta: same values to rounding. Frozen parameters and undefined gradients are left alone.
/// Owned by one replica.
class Optimizer {
public:
    virtual ~Optimizer() = default;
    virtual void step(double rate) = 0;
    /// Everything a resume needs, as tensors: "PARAMETER.momentum", "PARAMETER.square", "step". Shares memory.
    virtual NamedTensors state() const = 0;
    /// Fails with a Damaged error when names or shapes differ.
    virtual Result<void> setState(const NamedTensors& state) = 0;
};

std::unique_ptr<Optimizer> makeOptimizer(const SolveConfig& config, std::vector<Parameter> parameters);

} // namespace trainyard
