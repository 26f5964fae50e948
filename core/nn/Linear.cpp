#include "core/nn/Linear.h"

#include <torch/nn/module.h>

namespace trainyard {

Linear::Linear(std::int64_t in, std::int64_t out) {
    m_weight = register_parameter("weight", torch::zeros({out, in}));
    m_bias = register_parameter("bias", torch::zeros({out}));
}

torch::Tensor Linear::forward(const torch::Tensor& rows) {
    return at::linear(rows, m_weight, m_bias);
}

} // namespace trainyard
