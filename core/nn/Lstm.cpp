#include "core/nn/Lstm.h"

#include <ATen/Parallel.h>
#include <torch/csrc/autograd/custom_function.h>
#include <torch/nn/module.h>

#include <algorithm>

namespace trainyard {
namespace {

constexpr std::size_t kWeightsADirection = 4;

/// One direction's weights and where its halves of the layer's tensors lie.
struct Direction {
    at::Tensor inputWeight, hiddenWeight, bias;
    bool isBackward;
    std::int64_t hidden;

    Direction(const std::vector<at::Tensor>& weights, int number)
        : inputWeight(weights[kWeightsADirection * std::size_t(number)]),
          hiddenWeight(weights[kWeightsADirection * std::size_t(number) + 1]),
          bias(weights[kWeightsADirection * std::size_t(number) + 2] +
               weights[kWeightsADirection * std::size_t(number) + 3]),
          isBackward(number == 1), hidden(hiddenWeight.size(1)) {}

    /// Its half of the last axis of the layer's output.
    at::Tensor half(const at::Tensor& both) const {
        return both.slice(both.dim() - 1, isBackward ? hidden : 0, isBackward ? 2 * hidden : hidden);
    }
    /// The time of its step `number`.
    std::int64_t time(std::int64_t number, std::int64_t steps) const {
        return isBackward ? steps - 1 - number : number;
    }
};

/// What a direction remembers of its way forward. `gates` [T, N, 4 H] after their sigmoids and hyperbolic tangents.
struct Memory {
    at::Tensor gates, cells, squashed; ///< cells [T, N, H], and their hyperbolic tangents

    Memory(std::int64_t steps, std::int64_t samples, std::int64_t hidden, const at::TensorOptions& options)
        : gates(at::empty({steps, samples, 4 * hidden}, options)), cells(at::empty({steps, samples, hidden}, options)),
          squashed(at::empty_like(cells)) {}
    Memory(at::Tensor g, at::Tensor c, at::Tensor s)
        : gates(std::move(g)), cells(std::move(c)), squashed(std::move(s)) {}
};

/// Rows [N, H] of a tensor by time, as plain memory: `stride` floats from one row to the next.
struct RowsView {
    float* data;
    std::int64_t stride;
    explicit RowsView(const at::Tensor& rows) : data(rows.data_ptr<float>()), stride(rows.stride(0)) {}
    float* row(std::int64_t n) const { return data + n * stride; }
};

/// cell = forget x cell before + input x candidate.
void moveCells(const at::Tensor& gates, const at::Tensor* before, const at::Tensor& cells) {
    const std::int64_t samples = cells.size(0), hidden = cells.size(1);
    const RowsView gate(gates), now(cells);
    for (std::int64_t n = 0; n < samples; ++n) {
        const float *in = gate.row(n), *forget = in + hidden, *candidate = forget + hidden;
        const float* old = before ? before->data_ptr<float>() + n * hidden : nullptr;
        float* cell = now.row(n);
        if (old)
            for (std::int64_t h = 0; h < hidden; ++h)
                cell[h] = forget[h] * old[h] + in[h] * candidate[h];
        else
            for (std::int64_t h = 0; h < hidden; ++h)
                cell[h] = in[h] * candidate[h];
    }
}

/// state = output gate x squashed cell.
void showStates(const at::Tensor& gates, const at::Tensor& squashed, const at::Tensor& states) {
    const std::int64_t samples = squashed.size(0), hidden = squashed.size(1);
    const RowsView gate(gates), cell(squashed), state(states);
    for (std::int64_t n = 0; n < samples; ++n) {
        const float *out = gate.row(n) + 3 * hidden, *c = cell.row(n);
        float* h = state.row(n);
        for (std::int64_t i = 0; i < hidden; ++i)
            h[i] = out[i] * c[i];
    }
}

constexpr float kShut = -1e4F; // a sigmoid of this is 0, and so is its slope

/// Shuts the gates of the samples that have no step `t`: cells, states and gradients are 0 there.
void shutGates(const at::Tensor& gates, std::int64_t t, const std::vector<std::int64_t>& lengths) {
    const RowsView gate(gates);
    for (std::size_t n = 0; n < lengths.size(); ++n)
        if (t >= lengths[n])
            std::fill_n(gate.row(std::int64_t(n)), gates.size(1), kShut);
}

/// Fills `memory` and the direction's half of `output`.
void goForward(const Direction& own, const at::Tensor& input, const Memory& memory, const at::Tensor& output,
               const std::vector<std::int64_t>& lengths) {
    const std::int64_t steps = output.size(0), hidden = own.hidden;
    at::Tensor allGates = memory.gates.flatten(0, 1);
    at::addmm_out(allGates, own.bias, input, own.inputWeight.t());
    const at::Tensor hiddenWeight = own.hiddenWeight.t();
    at::Tensor states, before;
    for (std::int64_t number = 0; number < steps; ++number) {
        const std::int64_t t = own.time(number, steps);
        at::Tensor gates = memory.gates[t], squashed = memory.squashed[t];
        if (number > 0)
            gates.addmm_(states, hiddenWeight);
        shutGates(gates, t, lengths);
        gates.slice(1, 0, 2 * hidden).sigmoid_();
        gates.slice(1, 2 * hidden, 3 * hidden).tanh_();
        gates.slice(1, 3 * hidden, 4 * hidden).sigmoid_();
        const at::Tensor cells = memory.cells[t];
        moveCells(gates, number > 0 ? &before : nullptr, cells);
        at::tanh_out(squashed, cells);
        states = own.half(output)[t];
        showStates(gates, squashed, states);
        before = cells;
    }
}

/// Gradients by one direction's inputs.
struct Slopes {
    at::Tensor input, inputWeight, hiddenWeight, bias;
};

/// From gradients by states and cells to those by the gates before their functions; `cellSlope` becomes that of the
/// cells one step earlier.
void returnThroughGates(const Memory& memory, std::int64_t t, const at::Tensor* before, const at::Tensor& stateSlope,
                        at::Tensor& cellSlope, const at::Tensor& gateSlope) {
    const std::int64_t samples = cellSlope.size(0), hidden = cellSlope.size(1);
    const RowsView gate(memory.gates[t]), squashed(memory.squashed[t]), byState(stateSlope), byCell(cellSlope),
        byGate(gateSlope);
    for (std::int64_t n = 0; n < samples; ++n) {
        const float *in = gate.row(n), *forget = in + hidden, *candidate = forget + hidden, *out = candidate + hidden;
        const float *s = squashed.row(n), *dh = byState.row(n);
        const float* old = before ? before->data_ptr<float>() + n * hidden : nullptr;
        float *dc = byCell.row(n), *dIn = byGate.row(n), *dForget = dIn + hidden, *dCandidate = dForget + hidden,
              *dOut = dCandidate + hidden;
        for (std::int64_t h = 0; h < hidden; ++h) {
            const float slope = dc[h] + dh[h] * out[h] * (1 - s[h] * s[h]);
            dIn[h] = slope * candidate[h] * in[h] * (1 - in[h]);
            dCandidate[h] = slope * in[h] * (1 - candidate[h] * candidate[h]);
            dOut[h] = dh[h] * s[h] * out[h] * (1 - out[h]);
            dForget[h] = old ? slope * old[h] * forget[h] * (1 - forget[h]) : 0.F;
            dc[h] = slope * forget[h];
        }
    }
}

Slopes goBackward(const Direction& own, const at::Tensor& input, const Memory& memory, const at::Tensor& output,
                  const at::Tensor& outputSlope) {
    const std::int64_t steps = output.size(0), samples = output.size(1);
    const at::Tensor byState = own.half(outputSlope), states = own.half(output);
    at::Tensor byGate = at::empty_like(memory.gates), byCell = at::zeros({samples, own.hidden}, output.options());
    at::Tensor stateSlope;
    for (std::int64_t number = steps; number-- > 0;) {
        const std::int64_t t = own.time(number, steps);
        const at::Tensor slope = stateSlope.defined() ? stateSlope.add_(byState[t]) : byState[t].contiguous();
        at::Tensor before;
        if (number > 0)
            before = memory.cells[own.time(number - 1, steps)];
        returnThroughGates(memory, t, number > 0 ? &before : nullptr, slope, byCell, byGate[t]);
        if (number > 0)
            stateSlope = at::mm(byGate[t], own.hiddenWeight);
    }
    const at::Tensor gateRows = byGate.flatten(0, 1);
    // each step's gates with the states one step earlier on the direction's way
    const std::int64_t from = own.isBackward ? 0 : 1, rows = steps - 1;
    const at::Tensor laterGates = byGate.slice(0, from, from + rows).reshape({rows * samples, 4 * own.hidden});
    const at::Tensor earlierStates = states.slice(0, 1 - from, 1 - from + rows).reshape({rows * samples, own.hidden});
    return {at::mm(gateRows, own.inputWeight), at::mm(gateRows.t(), input), at::mm(laterGates.t(), earlierStates),
            gateRows.sum(0)};
}

/// Does `work` for both directions, each in a stretch of its own without gradients.
template <class Work>
void forBothDirections(const Work& work) {
    at::parallel_for(0, 2, 1, [&](std::int64_t begin, std::int64_t end) {
        const at::NoGradGuard noGrad; // belongs to the thread
        for (std::int64_t number = begin; number < end; ++number)
            work(int(number));
    });
}

class BidirectionalLstm : public torch::autograd::Function<BidirectionalLstm> {
public:
    static at::Tensor forward(torch::autograd::AutogradContext* context, const at::Tensor& steps, at::TensorList given,
                              const std::vector<std::int64_t>& lengths) {
        const std::vector<at::Tensor> weights = given.vec();
        const at::Tensor input = steps.contiguous().flatten(0, 1);
        const std::int64_t hidden = weights[1].size(1);
        at::Tensor output = at::empty({steps.size(0), steps.size(1), 2 * hidden}, steps.options());
        std::vector<Memory> memories;
        for (int number = 0; number < 2; ++number)
            memories.emplace_back(steps.size(0), steps.size(1), hidden, steps.options());
        forBothDirections([&](int number) {
            goForward(Direction(weights, number), input, memories[std::size_t(number)], output, lengths);
        });
        std::vector<at::Tensor> saved = {input, output};
        saved.insert(saved.end(), weights.begin(), weights.end());
        for (const Memory& memory : memories)
            saved.insert(saved.end(), {memory.gates, memory.cells, memory.squashed});
        context->save_for_backward(saved);
        return output;
    }

    static torch::autograd::variable_list backward(torch::autograd::AutogradContext* context,
                                                   torch::autograd::variable_list gradients) {
        const auto saved = context->get_saved_variables();
        const at::Tensor input = saved[0], output = saved[1], outputSlope = gradients[0].contiguous();
        const auto firstWeight = saved.begin() + 2, firstMemory = firstWeight + 2 * kWeightsADirection;
        const std::vector<at::Tensor> weights(firstWeight, firstMemory);
        std::vector<Slopes> slopes(2);
        forBothDirections([&](int number) {
            const auto own = firstMemory + 3 * number;
            slopes[std::size_t(number)] =
                goBackward(Direction(weights, number), input, Memory(own[0], own[1], own[2]), output, outputSlope);
        });
        torch::autograd::variable_list all = {
            slopes[0].input.add_(slopes[1].input).reshape({output.size(0), output.size(1), -1})};
        for (const Slopes& own : slopes)
            all.insert(all.end(), {own.inputWeight, own.hiddenWeight, own.bias, own.bias.clone()});
        all.emplace_back(); // lengths are given
        return all;
    }
};

at::Tensor zeroStates(const at::Tensor& steps, const std::vector<at::Tensor>& weights) {
    return at::zeros({2, steps.size(1), weights[1].size(1)}, steps.options());
}

/// LibTorch's own over sequences of different lengths, which it wants sorted.
at::Tensor packedLstm(const at::Tensor& steps, const std::vector<at::Tensor>& weights,
                      const std::vector<std::int64_t>& lengths) {
    const at::Tensor host = at::tensor(lengths, at::kLong), order = host.argsort(0, /*descending=*/true);
    const at::Tensor places = order.to(steps.device()), zeros = zeroStates(steps, weights);
    const auto [rows, sizes] = at::_pack_padded_sequence(steps.index_select(1, places), host.index_select(0, order),
                                                         /*batch_first=*/false);
    const at::Tensor states = std::get<0>(at::lstm(rows, sizes, {zeros, zeros}, weights, true, 1, 0.0, false, true));
    const at::Tensor padded = std::get<0>(at::_pad_packed_sequence(states, sizes, false, 0.0, steps.size(0)));
    return padded.index_select(1, order.argsort().to(steps.device()));
}

} // namespace

at::Tensor bidirectionalLstm(const at::Tensor& steps, const std::vector<at::Tensor>& weights,
                             const std::vector<std::int64_t>& lengths) {
    TORCH_CHECK(steps.dim() == 3 && weights.size() == 2 * kWeightsADirection,
                "bidirectionalLstm: wants [T, N, I] and four weights a direction");
    TORCH_CHECK(lengths.empty() || std::int64_t(lengths.size()) == steps.size(1),
                "bidirectionalLstm: wants a length a sample");
    if (steps.device().is_cpu() && steps.scalar_type() == at::kFloat && weights[0].scalar_type() == at::kFloat)
        return BidirectionalLstm::apply(steps, at::TensorList(weights), lengths);
    if (!lengths.empty())
        return packedLstm(steps, weights, lengths);
    const at::Tensor zeros = zeroStates(steps, weights);
    return std::get<0>(at::lstm(steps, {zeros, zeros}, weights, true, 1, 0.0, false, true, false));
}

} // namespace trainyard
