#pragma once

#include "core/base/Error.h"
#include "core/solve/Parameter.h"

#include <memory>
#include <vector>

namespace trainyard {

/// Turns gradients into updates. SGD follows torch.optim.SGD (momentum, Nesterov, coupled decay), Adam
/// torch.optim.Adam, Adadelta torch.optim.Adadelta; RMSProp and Nadam follow TensorFlow 1's optimisers, and SGD with
/// `solve.rate_in_momentum` Caffe2's: same values to rounding. Frozen parameters and undefined gradients
/// are left alone. Values do not depend on the thread count. Owned by one replica.
class Optimizer {
public:
    virtual ~Optimizer() = default;
    /// One update. Where asked for, `updateNorms` receives the L2 norm of what each parameter was changed by, in the
    /// parameters' order, 0 where it was left alone; it costs nothing more on the CPU.
    virtual void step(double rate, std::vector<double>* updateNorms = nullptr) = 0;
    /// Everything a resume needs, as tensors: "PARAMETER.momentum", "PARAMETER.square", "PARAMETER.delta", and "step",
    /// int64 [parameters], how many updates each has had; with `solve.rate_in_momentum` also "rate", float64 [1], the
    /// last one. Shares memory.
    virtual NamedTensors state() const = 0;
    /// Fails with a Damaged error when names or shapes differ; then nothing is changed.
    virtual Result<void> setState(const NamedTensors& state) = 0;
};

std::unique_ptr<Optimizer> makeOptimizer(const SolveConfig& config, std::vector<Parameter> parameters);

} // namespace trainyard
