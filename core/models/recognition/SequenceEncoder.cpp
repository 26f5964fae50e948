#include "core/models/recognition/SequenceEncoder.h"

#include "core/nn/Autocast.h"
#include "core/nn/Lstm.h"

namespace trainyard {

BidirectionalLayer::BidirectionalLayer(std::int64_t in, std::int64_t hidden) {
    for (auto* direction : {&m_past, &m_future}) {
        const std::string suffix = direction == &m_past ? "" : "_reverse";
        direction->input = register_parameter("weight_ih" + suffix, torch::zeros({4 * hidden, in}));
        direction->hidden = register_parameter("weight_hh" + suffix, torch::zeros({4 * hidden, hidden}));
        direction->bias = register_parameter("bias" + suffix, torch::zeros({4 * hidden}));
    }
}

torch::Tensor BidirectionalLayer::forward(const torch::Tensor& steps) {
    const torch::Tensor none = torch::zeros_like(m_past.bias); // torch's LSTM has two biases
    return bidirectionalLstm(
        steps, {m_past.input, m_past.hidden, m_past.bias, none, m_future.input, m_future.hidden, m_future.bias, none});
}

void BidirectionalLayer::initialise(const Initialiser& initialiser, const std::string& prefix) {
    const torch::NoGradGuard noGradients;
    for (const auto& [direction, name] : {std::pair(&m_past, "past"), std::pair(&m_future, "future")}) {
        initialiser.orthogonal({direction->input, direction->hidden}, prefix + name);
        const std::int64_t hidden = direction->hidden.size(1);
        direction->bias.zero_().slice(0, hidden, 2 * hidden).fill_(1);
    }
}

SequenceEncoder::SequenceEncoder(const Shape& shape) : m_outputs(shape.layers > 0 ? shape.outputs : shape.in) {
    std::int64_t in = shape.in;
    for (std::int64_t i = 0; i < shape.layers; ++i) {
        const std::string number = std::to_string(i);
        m_layers.push_back(register_module("rnn" + number, std::make_shared<BidirectionalLayer>(in, shape.hidden)));
        m_projections.push_back(
            register_module("projection" + number, std::make_shared<Dense>(2 * shape.hidden, shape.outputs)));
        in = shape.outputs;
    }
}

torch::Tensor SequenceEncoder::forward(const torch::Tensor& map) {
    const Autocast plain(false); // recurrent layers have no bfloat16 kernels worth having
    torch::Tensor steps = map.squeeze(2).permute({2, 0, 1});
    if (steps.scalar_type() != torch::kDouble)
        steps = steps.to(torch::kFloat);
    for (std::size_t i = 0; i < m_layers.size(); ++i)
        steps = m_projections[i]->forward(m_layers[i]->forward(steps.contiguous())).relu();
    return steps.transpose(0, 1).contiguous();
}

void SequenceEncoder::initialise(const Initialiser& initialiser, const std::string& prefix) {
    for (std::size_t i = 0; i < m_layers.size(); ++i) {
        const std::string number = std::to_string(i);
        m_layers[i]->initialise(initialiser, prefix + "rnn" + number + ".");
        initialiser.varianceScaling(m_projections[i]->weight(), prefix + "projection" + number + ".weight");
        fillWith(m_projections[i]->bias(), 0);
    }
}

} // namespace trainyard
