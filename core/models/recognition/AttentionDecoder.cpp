#include "core/models/recognition/AttentionDecoder.h"

namespace trainyard {
namespace {

/// The decoder in the middle of a search.
class Searching final : public BeamDecoder {
public:
    Searching(AttentionDecoder& decoder, at::TensorList memories, std::int64_t width)
        : m_decoder(decoder), m_memory(decoder.remember(memories)),
          m_state(decoder.begin(memories.front().size(0), width)) {}

    at::Tensor extend(const at::Tensor& labels) override {
        m_state = m_decoder.step(m_memory, m_state, labels);
        return at::log_softmax(m_decoder.logits(m_state), 2);
    }
    void follow(const at::Tensor& parents) override {
        const at::Tensor places = parents.unsqueeze(2);
        m_state = m_state.changed([&](const at::Tensor& part) { return part.gather(1, places.expand_as(part)); });
    }

private:
    AttentionDecoder& m_decoder;
    AttentionDecoder::Memory m_memory;
    AttentionDecoder::State m_state;
};

} // namespace

AttentionDecoder::AttentionDecoder(const Shape& shape) : m_cell(shape.cell), m_lags(shape.lags) {
    for (std::int64_t i = 0; i < shape.memories; ++i) {
        const std::string number = i == 0 ? "" : std::to_string(i);
        Look look;
        look.memoryLayer =
            register_module("memory_layer" + number, std::make_shared<Dense>(shape.memory, shape.attention, false));
        look.queryLayer =
            register_module("query_layer" + number, std::make_shared<Dense>(shape.units, shape.attention, false));
        look.attention = register_parameter("attention" + number, torch::zeros({shape.attention}));
        m_looks.push_back(std::move(look));
    }
    m_output = register_module("output", std::make_shared<Dense>(shape.units + shape.languageUnits, shape.labels));
    const std::int64_t gates = m_cell.gates() * shape.units;
    m_labelWeight = register_parameter("label_weight", torch::zeros({shape.labels, gates}));
    m_contextWeight = register_parameter("context_weight", torch::zeros({gates, shape.memories * shape.memory}));
    m_hiddenWeight = register_parameter("hidden_weight", torch::zeros({gates, shape.units}));
    m_bias = register_parameter("bias", torch::zeros({gates}));
    if (m_cell.hasPeepholes())
        m_peepholes = register_parameter("peepholes", torch::zeros({3, shape.units}));
    if (shape.languageUnits == 0)
        return;
    const std::int64_t own = m_cell.gates() * shape.languageUnits;
    m_languageLabelWeight = register_parameter("language_label_weight", torch::zeros({shape.labels, own}));
    m_languageHiddenWeight = register_parameter("language_hidden_weight", torch::zeros({own, shape.languageUnits}));
    m_languageBias = register_parameter("language_bias", torch::zeros({own}));
}

AttentionDecoder::Memory AttentionDecoder::remember(at::TensorList memories) {
    TORCH_CHECK(memories.size() == m_looks.size(), "AttentionDecoder: wants ", m_looks.size(), " memories.");
    Memory memory;
    for (std::size_t i = 0; i < m_looks.size(); ++i) {
        memory.values.push_back(memories[i]);
        memory.keys.push_back(m_looks[i].memoryLayer->forward(memories[i]));
    }
    return memory;
}

AttentionDecoder::State AttentionDecoder::begin(std::int64_t samples, std::int64_t hypotheses) const {
    const auto options = m_bias.options();
    State state;
    const CellState own = m_cell.begin({samples, hypotheses, m_hiddenWeight.size(1)}, options);
    state.hidden = own.hidden;
    state.cell = own.cell;
    if (m_lags)
        state.seen = torch::zeros({samples, hypotheses, m_contextWeight.size(1)}, options);
    if (m_languageBias.defined()) {
        const CellState language = m_cell.begin({samples, hypotheses, m_languageHiddenWeight.size(1)}, options);
        state.languageHidden = language.hidden;
        state.languageCell = language.cell;
    }
    return state;
}

torch::Tensor AttentionDecoder::attended(const Memory& memory, const torch::Tensor& hidden) {
    std::vector<torch::Tensor> seen;
    for (std::size_t i = 0; i < m_looks.size(); ++i) {
        const torch::Tensor query = m_looks[i].queryLayer->forward(hidden);
        const torch::Tensor match = (memory.keys[i].unsqueeze(1) + query.unsqueeze(2)).tanh(); // [N, B, L, attention]
        seen.push_back(at::bmm(at::matmul(match, m_looks[i].attention).softmax(2), memory.values[i]));
    }
    return seen.size() == 1 ? seen.front() : at::cat(seen, 2);
}

AttentionDecoder::State AttentionDecoder::moved(const Memory& memory, const State& state,
                                                const torch::Tensor& fromLabels,
                                                const torch::Tensor& fromLanguageLabels) {
    const torch::Tensor seen = m_lags ? state.seen : attended(memory, state.hidden);
    const CellState own =
        m_cell.moved({state.hidden, state.cell}, fromLabels + at::linear(seen, m_contextWeight, m_bias),
                     {m_hiddenWeight, m_peepholes});
    State next;
    next.hidden = own.hidden;
    next.cell = own.cell;
    if (m_lags)
        next.seen = attended(memory, next.hidden);
    if (fromLanguageLabels.defined()) {
        const CellState language =
            m_cell.moved({state.languageHidden, state.languageCell}, fromLanguageLabels, {m_languageHiddenWeight, {}});
        next.languageHidden = language.hidden;
        next.languageCell = language.cell;
    }
    return next;
}

torch::Tensor AttentionDecoder::languageInputs(const torch::Tensor& labels) const {
    return m_languageBias.defined() ? at::embedding(m_languageLabelWeight, labels) + m_languageBias : torch::Tensor();
}

torch::Tensor AttentionDecoder::shown(const State& state) const {
    return state.languageHidden.defined() ? at::cat({state.hidden, state.languageHidden}, 2) : state.hidden;
}

AttentionDecoder::State AttentionDecoder::step(const Memory& memory, const State& state, const torch::Tensor& labels) {
    return moved(memory, state, at::embedding(m_labelWeight, labels), languageInputs(labels));
}

torch::Tensor AttentionDecoder::taught(at::TensorList memories, const torch::Tensor& inputs) {
    const Memory remembered = remember(memories);
    const torch::Tensor fromLabels = at::embedding(m_labelWeight, inputs); // of all steps at once
    const torch::Tensor fromLanguageLabels = languageInputs(inputs);
    State state = begin(memories.front().size(0), 1);
    std::vector<torch::Tensor> all;
    for (std::int64_t t = 0; t < inputs.size(1); ++t) {
        const auto now = [t](const torch::Tensor& steps) { return steps.defined() ? steps.slice(1, t, t + 1) : steps; };
        state = moved(remembered, state, now(fromLabels), now(fromLanguageLabels));
        all.push_back(shown(state));
    }
    return m_output->forward(at::cat(all, 1));
}

BeamSearch::Reading AttentionDecoder::read(at::TensorList memories, const BeamSearch& search) {
    const torch::NoGradGuard noGradients;
    Searching searching(*this, memories, search.width);
    return search.read(searching, memories.front().size(0), memories.front().device());
}

void AttentionDecoder::initialise(const Initialiser& initialiser, const std::string& prefix) {
    const torch::NoGradGuard noGradients;
    for (std::size_t i = 0; i < m_looks.size(); ++i) {
        const std::string number = i == 0 ? "" : std::to_string(i);
        initialiser.glorotUniform(m_looks[i].memoryLayer->weight(), prefix + "memory" + number);
        initialiser.glorotUniform(m_looks[i].queryLayer->weight(), prefix + "query" + number);
        initialiser.glorotUniform(m_looks[i].attention, prefix + "attention" + number);
    }
    initialiser.orthogonal({m_labelWeight.t(), m_contextWeight, m_hiddenWeight}, prefix + "cell");
    m_cell.openGates(m_bias);
    if (m_peepholes.defined())
        initialiser.glorotUniform(m_peepholes, prefix + "peepholes");
    if (m_languageBias.defined()) {
        initialiser.orthogonal({m_languageLabelWeight.t(), m_languageHiddenWeight}, prefix + "language");
        m_cell.openGates(m_languageBias);
    }
    initialiser.varianceScaling(m_output->weight(), prefix + "output.weight");
    m_output->bias().zero_();
}

} // namespace trainyard
