#include "core/models/recognition/RecurrentCell.h"

#include <torch/nn/module.h>

namespace trainyard {
namespace {

CellState movedLstm(const CellState& state, const at::Tensor& fromInputs, const RecurrentCell::Weights& weights) {
    const auto gates = (fromInputs + at::linear(state.hidden, weights.hidden)).chunk(4, -1);
    at::Tensor input = gates[0], forget = gates[1], output = gates[3];
    if (weights.peepholes.defined()) {
        input = input + weights.peepholes[0] * state.cell;
        forget = forget + weights.peepholes[1] * state.cell;
    }
    const at::Tensor cell = forget.sigmoid() * state.cell + input.sigmoid() * gates[2].tanh();
    if (weights.peepholes.defined())
        output = output + weights.peepholes[2] * cell;
    return {output.sigmoid() * cell.tanh(), cell};
}

CellState movedGru(const CellState& state, const at::Tensor& fromInputs, const at::Tensor& hiddenWeight) {
    const std::int64_t units = state.hidden.size(-1);
    const auto fromInput = fromInputs.chunk(3, -1);
    const auto known = at::linear(state.hidden, hiddenWeight.slice(0, 0, 2 * units)).chunk(2, -1);
    const at::Tensor reset = (fromInput[0] + known[0]).sigmoid(), update = (fromInput[1] + known[1]).sigmoid();
    const at::Tensor kept = at::linear(reset * state.hidden, hiddenWeight.slice(0, 2 * units));
    return {update * state.hidden + (1 - update) * (fromInput[2] + kept).tanh(), {}};
}

} // namespace

RecurrentCell::RecurrentCell(const std::string& name)
    : m_kind(name == "gru"             ? Kind::Gru
             : name == "peephole-lstm" ? Kind::PeepholeLstm
                                       : Kind::Lstm) {
    TORCH_CHECK(name == "lstm" || m_kind != Kind::Lstm, "There is no recurrent cell called ", name, ".");
}

CellState RecurrentCell::begin(at::IntArrayRef sizes, const at::TensorOptions& options) const {
    const at::Tensor zeros = at::zeros(sizes, options);
    return {zeros, m_kind == Kind::Gru ? at::Tensor() : zeros};
}

CellState RecurrentCell::moved(const CellState& state, const at::Tensor& fromInputs, const Weights& weights) const {
    return m_kind == Kind::Gru ? movedGru(state, fromInputs, weights.hidden) : movedLstm(state, fromInputs, weights);
}

void RecurrentCell::openGates(at::Tensor bias) const {
    const at::NoGradGuard noGradients;
    const std::int64_t units = bias.size(0) / gates();
    bias.zero_();
    (m_kind == Kind::Gru ? bias.slice(0, 0, 2 * units) : bias.slice(0, units, 2 * units)).fill_(1);
}

} // namespace trainyard
