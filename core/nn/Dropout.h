#pragma once

#include <torch/nn/module.h>

namespace trainyard {

/// Dropout whose masks are a function of (seed, number of the draw, salt): the buffer "draws" counts them and lies in
/// every checkpoint, so a resumed run draws what the uninterrupted one would have. The global generator, which
/// replicas share, is not touched. Passes everything in eval mode.
class Dropout final : public torch::nn::Module {
public:
    Dropout(double share, std::uint64_t seed);

    /// `salt` tells replicas apart: they share seed and count.
    torch::Tensor forward(const torch::Tensor& input, std::uint64_t salt = 0);

private:
    double m_share;
    std::uint64_t m_seed;
    torch::Tensor m_draws; ///< int64 scalar
};

} // namespace trainyard
