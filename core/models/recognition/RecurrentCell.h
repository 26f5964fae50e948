#pragma once

#include <ATen/core/Tensor.h>

#include <string>

namespace trainyard {

/// What a recurrent cell knows: [N, B, units] each. A GRU has no cell beside its hidden state.
struct CellState {
    at::Tensor hidden, cell;
};

/// One step of a recurrent cell. Rows of its kernels by gate, in this order: of an LSTM input, forget, candidate and
/// output (torch's order); of a GRU reset, update and candidate. The reset gate acts on the state before its kernel.
/// Sources: Hochreiter and Schmidhuber 1997; peepholes, Gers et al. 2002; GRU, Cho et al. 2014.
class RecurrentCell {
public:
    /// "lstm", "peephole-lstm" or "gru"; throws on any other name.
    explicit RecurrentCell(const std::string& name);

    std::int64_t gates() const { return m_kind == Kind::Gru ? 3 : 4; }
    bool hasPeepholes() const { return m_kind == Kind::PeepholeLstm; }
    /// A state of zeros; `options` as the kernels have them.
    CellState begin(at::IntArrayRef sizes, const at::TensorOptions& options) const;

    struct Weights {
        at::Tensor hidden; ///< [gates × units, units]
        at::Tensor
            peepholes; ///< [3, units] from the cell to input, forget and output gate; undefined where there are none
    };
    /// `fromInputs` is what inputs and bias give to the gates: [N, B, gates × units].
    CellState moved(const CellState& state, const at::Tensor& fromInputs, const Weights& weights) const;
    /// Gates that keep what is known start open: a bias of 1 for an LSTM's forget gate, for both gates of a GRU.
    void openGates(at::Tensor bias) const;

private:
    enum class Kind { Lstm, PeepholeLstm, Gru };
    Kind m_kind;
};

} // namespace trainyard
