#pragma once

#include "core/solve/Parameter.h"

#include <ATen/ATen.h>
#include <fmt/core.h>

namespace trainyard::bench {

/// Parameters with gradients whose sizes are spread like a network's: many small ones and a few of millions.
/// `millions` in all, roughly.
inline std::vector<Parameter> parametersOfMillions(int millions) {
    at::manual_seed(1);
    std::vector<Parameter> parameters;
    const auto add = [&](at::IntArrayRef shape, Parameter::Role role) {
        Parameter parameter{fmt::format("p{}", parameters.size()), at::randn(shape) * 0.02, role, false};
        parameter.value.set_requires_grad(true);
        parameter.value.mutable_grad() = at::randn(shape) * 1e-3;
        parameters.push_back(parameter);
    };
    for (int million = 0; million < millions; ++million) {
        add({256, 256, 3, 3}, Parameter::Role::Weight);
        add({512, 512, 1, 1}, Parameter::Role::Weight);
        add({128, 128, 3, 3}, Parameter::Role::Weight);
        for (int i = 0; i < 3; ++i) {
            add({256}, Parameter::Role::Norm);
            add({256}, Parameter::Role::Bias);
        }
    }
    return parameters;
}

} // namespace trainyard::bench
