#include "core/nn/MemoryLayout.h"

#include <torch/nn/module.h>

namespace trainyard {

void toChannelsLast(torch::nn::Module& module) {
    const torch::NoGradGuard noGradients;
    for (auto& parameter : module.parameters())
        if (parameter.dim() == 4)
            parameter.set_data(parameter.contiguous(at::MemoryFormat::ChannelsLast));
}

} // namespace trainyard
