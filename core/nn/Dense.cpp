#include "core/nn/Dense.h"

namespace trainyard {

Dense::Dense(std::int64_t in, std::int64_t out, bool hasBias) {
    m_weight = register_parameter("weight", torch::zeros({out, in}));
    if (hasBias)
        m_bias = register_parameter("bias", torch::zeros({out}));
}

torch::Tensor Dense::forward(const torch::Tensor& rows) {
    return at::linear(rows, m_weight, m_bias);
}

} // namespace trainyard
