#pragma once

#include <torch/nn/module.h>

namespace trainyard {

/// A fully connected layer whose values are left unset until someone initialises them (why: see Convolution).
/// Parameters "weight" [out, in] and, where wanted, "bias" [out].
class Dense final : public torch::nn::Module {
public:
    Dense(std::int64_t in, std::int64_t out, bool hasBias = true);

    /// [..., in] becomes [..., out].
    torch::Tensor forward(const torch::Tensor& rows);

    const torch::Tensor& weight() const { return m_weight; }
    const torch::Tensor& bias() const { return m_bias; } ///< undefined where there is none

private:
    torch::Tensor m_weight, m_bias;
};

} // namespace trainyard
