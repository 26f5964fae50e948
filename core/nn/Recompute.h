#pragma once

#include <torch/nn/module.h>

#include <functional>

namespace trainyard {

/// While it lives and is on, `throughBlock` of this thread keeps no activations inside blocks.
class RecomputeScope {
public:
    explicit RecomputeScope(bool isOn);
    ~RecomputeScope();
    RecomputeScope(const RecomputeScope&) = delete;
    RecomputeScope& operator=(const RecomputeScope&) = delete;

private:
    bool m_wasOn;
};
bool isRecomputing(); ///< on this thread

/// `run(input)`, whose inner activations are let go and computed again in the backward pass: less memory, about a
/// forward pass more time, the same values and gradients. `run` must use `input` and `block` alone, draw no random
/// numbers, change no memory of `input`, and `input` must need a gradient; running statistics move once. The autocast
/// of the call holds for both passes. Source: Chen et al. 2016, "Training Deep Nets with Sublinear Memory Cost".
torch::Tensor recomputed(std::shared_ptr<torch::nn::Module> block,
                         std::function<torch::Tensor(const torch::Tensor&)> run, const torch::Tensor& input);

/// A block's forward pass, recomputed where this thread is in such a scope and the input needs a gradient.
template <class Block>
torch::Tensor throughBlock(const std::shared_ptr<Block>& block, const torch::Tensor& input) {
    if (!isRecomputing() || !input.requires_grad())
        return block->forward(input);
    return recomputed(
        block, [block](const torch::Tensor& values) { return block->forward(values); }, input);
}

} // namespace trainyard
