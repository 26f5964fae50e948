#pragma once

#include "core/config/RunConfig.h"

#include <torch/nn/module.h>

#include <string>
#include <utility>
#include <vector>

namespace trainyard {

using NamedTensors = std::vector<std::pair<std::string, torch::Tensor>>;

/// One trained tensor with what decides how it is updated.
struct Parameter {
    std::string name;
    torch::Tensor value; ///< shares memory with the module; its gradient is value.grad()
    enum class Role {
        Weight,
        Bias,
        Norm
    } role = Role::Weight;     ///< Norm: scale of a normalisation; its offset is a bias
    bool isFrozen = false;     ///< by solve.freeze, or because it needs no gradient
    bool isMultiplied = false; ///< solve.bias_multiplier applies to its gradient
};

/// The module's parameters in its own order.
std::vector<Parameter> parametersOf(const torch::nn::Module& module, const SolveConfig& config);

/// The weight decay of this parameter, by its role.
double decayOf(const Parameter& parameter, const SolveConfig& config);

} // namespace trainyard
