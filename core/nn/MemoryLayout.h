#pragma once

#include <torch/nn/module.h>

namespace trainyard {

/// Lays every 4-d parameter of `module` out channels-last, which convolutions on the CPU like best.
void toChannelsLast(torch::nn::Module& module);

} // namespace trainyard
