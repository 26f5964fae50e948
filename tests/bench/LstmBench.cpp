#include "core/nn/Lstm.h"
#include "tests/bench/Bench.h"

#include <torch/torch.h>

namespace trainyard::bench {
namespace {

/// One bidirectional layer with a sequence for it.
class Layer {
public:
    Layer(std::int64_t steps, std::int64_t samples, std::int64_t in, std::int64_t hidden) {
        torch::manual_seed(1);
        m_layer = torch::nn::LSTM(torch::nn::LSTMOptions(in, hidden).bidirectional(true));
        m_steps = torch::randn({steps, samples, in}).requires_grad_();
    }
    at::Tensor own() { return bidirectionalLstm(m_steps, m_layer->all_weights()); }
    at::Tensor libTorchs() { return std::get<0>(m_layer->forward(m_steps)); }
    /// Forward and backward; the gradients by sequence and weights.
    std::vector<at::Tensor> gradients(at::Tensor (Layer::*way)()) {
        m_layer->zero_grad();
        m_steps.mutable_grad() = at::Tensor();
        (this->*way)().square().sum().backward();
        std::vector<at::Tensor> all = {m_steps.grad()};
        for (const at::Tensor& weight : m_layer->parameters())
            all.push_back(weight.grad().clone());
        return all;
    }

private:
    torch::nn::LSTM m_layer{nullptr};
    at::Tensor m_steps;
};

std::vector<Comparison> compare() {
    const auto layer = std::make_shared<Layer>(25, 64, 512, 256); // the first of the crnn preset
    return {{"lstm: 25 steps of 64 x 512, 256 units a direction, forward and backward",
             {{"LibTorch's", [layer] { layer->gradients(&Layer::libTorchs); }},
              {"both directions at once", [layer] { layer->gradients(&Layer::own); }}}}};
}

std::string check() {
    Layer layer(6, 5, 8, 7);
    if (!at::allclose(layer.own(), layer.libTorchs(), 1e-5, 1e-6))
        return "The states differ from LibTorch's.";
    const auto own = layer.gradients(&Layer::own), expected = layer.gradients(&Layer::libTorchs);
    for (std::size_t i = 0; i < own.size(); ++i)
        if (!at::allclose(own[i], expected[i], 1e-4, 1e-5))
            return "Gradient " + std::to_string(i) + " differs from LibTorch's.";
    return {};
}

const Register kLstm("lstm", compare, check);

} // namespace
} // namespace trainyard::bench
