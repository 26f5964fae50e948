#include "core/nn/Dropout.h"

#include "core/base/Random.h"
#include "core/nn/Initialiser.h"

#include <torch/nn/module.h>

namespace trainyard {

Dropout::Dropout(double share, std::uint64_t seed) : m_share(share), m_seed(seed) {
    TORCH_CHECK(share >= 0 && share < 1, "Dropout: the share must lie in [0, 1), not ", share);
    m_draws = register_buffer("draws", torch::zeros({}, torch::kLong));
}

torch::Tensor Dropout::forward(const torch::Tensor& input, std::uint64_t salt) {
    if (!is_training() || m_share == 0)
        return input;
    const auto draw = std::uint64_t(m_draws.item<std::int64_t>());
    m_draws.add_(1);
    const auto generator = makeGenerator(deriveSeed(m_seed, draw, salt));
    const torch::Tensor kept = torch::empty(input.sizes(), torch::kFloat).bernoulli_(1 - m_share, generator);
    return input * (kept / (1 - m_share)).to(input.device(), input.scalar_type());
}

} // namespace trainyard
