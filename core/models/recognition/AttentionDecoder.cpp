#include "core/models/recognition/AttentionDecoder.h"

namespace trainyard {
namespace {

/// The decoder in the middle of a search.
class Searching final : public BeamDecoder {
public:
    Searching(AttentionDecoder& decoder, const torch::Tensor& memory, std::int64_t width)
        : m_decoder(decoder), m_memory(decoder.remember(memory)), m_state(decoder.begin(memory.size(0), width)) {}

    at::Tensor extend(const at::Tensor& labels) override {
        m_state = m_decoder.step(m_memory, m_state, labels);
        return at::log_softmax(m_decoder.logits(m_state.hidden), 2);
    }
    void follow(const at::Tensor& parents) override {
        const at::Tensor places = parents.unsqueeze(2).expand_as(m_state.hidden);
        m_state = {m_state.hidden.gather(1, places), m_state.cell.gather(1, places)};
    }

private:
    AttentionDecoder& m_decoder;
    AttentionDecoder::Memory m_memory;
    AttentionDecoder::State m_state;
};

} // namespace

AttentionDecoder::AttentionDecoder(const Shape& shape)
    : m_memoryLayer(register_module("memory_layer", std::make_shared<Dense>(shape.memory, shape.attention, false))),
      m_queryLayer(register_module("query_layer", std::make_shared<Dense>(shape.units, shape.attention, false))),
      m_output(register_module("output", std::make_shared<Dense>(shape.units, shape.labels))) {
    const std::int64_t gates = 4 * shape.units;
    m_attention = register_parameter("attention", torch::zeros({shape.attention}));
    m_labelWeight = register_parameter("label_weight", torch::zeros({shape.labels, gates}));
    m_contextWeight = register_parameter("context_weight", torch::zeros({gates, shape.memory}));
    m_hiddenWeight = register_parameter("hidden_weight", torch::zeros({gates, shape.units}));
    m_bias = register_parameter("bias", torch::zeros({gates}));
}

AttentionDecoder::Memory AttentionDecoder::remember(const torch::Tensor& memory) {
    return {memory, m_memoryLayer->forward(memory)};
}

AttentionDecoder::State AttentionDecoder::begin(std::int64_t samples, std::int64_t hypotheses) const {
    const torch::Tensor zeros = torch::zeros({samples, hypotheses, m_hiddenWeight.size(1)}, m_bias.options());
    return {zeros, zeros};
}

torch::Tensor AttentionDecoder::attended(const Memory& memory, const torch::Tensor& hidden) {
    const torch::Tensor query = m_queryLayer->forward(hidden);
    const torch::Tensor match = (memory.keys.unsqueeze(1) + query.unsqueeze(2)).tanh(); // [N, B, L, attention]
    return at::bmm(at::matmul(match, m_attention).softmax(2), memory.values);
}

AttentionDecoder::State AttentionDecoder::moved(const State& state, const torch::Tensor& fromLabels,
                                                const torch::Tensor& seen) const {
    const auto gates =
        (fromLabels + at::linear(seen, m_contextWeight, m_bias) + at::linear(state.hidden, m_hiddenWeight)).chunk(4, 2);
    const torch::Tensor cell = gates[1].sigmoid() * state.cell + gates[0].sigmoid() * gates[2].tanh();
    return {gates[3].sigmoid() * cell.tanh(), cell};
}

AttentionDecoder::State AttentionDecoder::step(const Memory& memory, const State& state, const torch::Tensor& labels) {
    return moved(state, at::embedding(m_labelWeight, labels), attended(memory, state.hidden));
}

torch::Tensor AttentionDecoder::taught(const torch::Tensor& memory, const torch::Tensor& inputs) {
    const Memory remembered = remember(memory);
    const torch::Tensor fromLabels = at::embedding(m_labelWeight, inputs); // of all steps at once
    State state = begin(memory.size(0), 1);
    std::vector<torch::Tensor> hidden;
    for (std::int64_t t = 0; t < inputs.size(1); ++t) {
        state = moved(state, fromLabels.slice(1, t, t + 1), attended(remembered, state.hidden));
        hidden.push_back(state.hidden);
    }
    return logits(at::cat(hidden, 1));
}

BeamSearch::Reading AttentionDecoder::read(const torch::Tensor& memory, const BeamSearch& search) {
    const torch::NoGradGuard noGradients;
    Searching searching(*this, memory, search.width);
    return search.read(searching, memory.size(0), memory.device());
}

void AttentionDecoder::initialise(const Initialiser& initialiser, const std::string& prefix) {
    const torch::NoGradGuard noGradients;
    for (auto* layer : {m_memoryLayer.get(), m_queryLayer.get()})
        initialiser.glorotUniform(layer->weight(), prefix + (layer == m_memoryLayer.get() ? "memory" : "query"));
    initialiser.glorotUniform(m_attention, prefix + "attention");
    initialiser.orthogonal({m_labelWeight.t(), m_contextWeight, m_hiddenWeight}, prefix + "cell");
    const std::int64_t units = m_hiddenWeight.size(1);
    m_bias.zero_().slice(0, units, 2 * units).fill_(1); // forget gates start open
    initialiser.varianceScaling(m_output->weight(), prefix + "output.weight");
    m_output->bias().zero_();
}

} // namespace trainyard
