#include "core/models/recognition/SequenceEncoder.h"

#include "core/nn/Autocast.h"
#include "core/nn/Lstm.h"

namespace trainyard {

BidirectionalLayer::BidirectionalLayer(std::int64_t in, std::int64_t hidden, const std::string& cell)
    : m_cell(cell), m_isPlain(cell == "lstm") {
    const std::int64_t gates = m_cell.gates() * hidden;
    for (auto* direction : {&m_past, &m_future}) {
        const std::string suffix = direction == &m_past ? "" : "_reverse";
        direction->input = register_parameter("weight_ih" + suffix, torch::zeros({gates, in}));
        direction->hidden = register_parameter("weight_hh" + suffix, torch::zeros({gates, hidden}));
        direction->bias = register_parameter("bias" + suffix, torch::zeros({gates}));
        if (m_cell.hasPeepholes())
            direction->peepholes = register_parameter("peepholes" + suffix, torch::zeros({3, hidden}));
    }
}

torch::Tensor BidirectionalLayer::along(const Direction& direction, const torch::Tensor& steps, bool isBackward) const {
    const torch::Tensor fromInputs = at::linear(steps, direction.input, direction.bias); // of all steps at once
    CellState state = m_cell.begin({steps.size(1), direction.hidden.size(1)}, direction.bias.options());
    std::vector<torch::Tensor> states(std::size_t(steps.size(0)));
    for (std::int64_t number = 0; number < steps.size(0); ++number) {
        const std::int64_t t = isBackward ? steps.size(0) - 1 - number : number;
        state = m_cell.moved(state, fromInputs[t], {direction.hidden, direction.peepholes});
        states[std::size_t(t)] = state.hidden;
    }
    return at::stack(states);
}

torch::Tensor BidirectionalLayer::forward(const torch::Tensor& steps) {
    if (!m_isPlain)
        return at::cat({along(m_past, steps, false), along(m_future, steps, true)}, 2);
    const torch::Tensor none = torch::zeros_like(m_past.bias); // torch's LSTM has two biases
    return bidirectionalLstm(
        steps, {m_past.input, m_past.hidden, m_past.bias, none, m_future.input, m_future.hidden, m_future.bias, none});
}

void BidirectionalLayer::initialise(const Initialiser& initialiser, const std::string& prefix) {
    const torch::NoGradGuard noGradients;
    for (const auto& [direction, name] : {std::pair(&m_past, "past"), std::pair(&m_future, "future")}) {
        initialiser.orthogonal({direction->input, direction->hidden}, prefix + name);
        m_cell.openGates(direction->bias);
        if (m_cell.hasPeepholes())
            initialiser.glorotUniform(direction->peepholes, prefix + name + ".peepholes");
    }
}

SequenceEncoder::SequenceEncoder(const Shape& shape) : m_outputs(shape.layers > 0 ? shape.outputs : shape.in) {
    std::int64_t in = shape.in;
    for (std::int64_t i = 0; i < shape.layers; ++i) {
        const std::string number = std::to_string(i);
        m_layers.push_back(
            register_module("rnn" + number, std::make_shared<BidirectionalLayer>(in, shape.hidden, shape.cell)));
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
