#pragma once

#include "core/base/Error.h"
#include "core/solve/Parameter.h"

namespace trainyard {

/// A moving average of the weights, kept beside them: after an update, average = decay · average + (1 − decay) ·
/// weight, for every parameter that had a gradient. It begins as the weights are. Owned by the trainer, used on its
/// thread. Source: Polyak and Juditsky 1992, in the form of TensorFlow's ExponentialMovingAverage.
class WeightAverage {
public:
    /// `parameters` are the first replica's; frozen ones are their own average. With `warmsUp` the decay is
    /// (1 + n) / (10 + n) after n updates where that is smaller.
    WeightAverage(double decay, bool warmsUp, const std::vector<Parameter>& parameters);

    void follow(std::int64_t updates); ///< takes in the weights after update number `updates`, counted from 1

    NamedTensors state() const; ///< by the parameters' names; shares memory
    /// Fails with a Damaged error when names or shapes differ; then nothing is changed.
    Result<void> setState(const NamedTensors& state);

    /// Weights and averages change places: once before an evaluation of the averages and once after it.
    void exchange();

private:
    struct Slot {
        std::string name;
        at::Tensor weight, average;
    };
    double m_decay;
    bool m_warmsUp;
    std::vector<Slot> m_slots;
};

} // namespace trainyard
