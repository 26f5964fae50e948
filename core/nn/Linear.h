#pragma once

#include <torch/nn/module.h>

namespace trainyard {

/// A linear layer whose values are zero until someone initialises them, for the reason that `Convolution` has.
/// Parameters "weight" [out, in] and "bias" [out].
class Linear final : public torch::nn::Module {
public:
    Linear(std::int64_t in, std::int64_t out);

    torch::Tensor forward(const torch::Tensor& rows); ///< [R, in] to [R, out]

private:
    torch::Tensor m_weight, m_bias;
};

} // namespace trainyard
