#pragma once

#include "core/models/recognition/RecurrentCell.h"
#include "core/nn/Dense.h"
#include "core/nn/Initialiser.h"

namespace trainyard {

/// One recurrent layer in both directions, with one bias a direction. Parameters weight_ih, weight_hh, bias and perhaps
/// peepholes, and the same with "_reverse" behind; their layout is torch.nn.LSTM's, or RecurrentCell's.
class BidirectionalLayer final : public torch::nn::Module {
public:
    BidirectionalLayer(std::int64_t in, std::int64_t hidden, const std::string& cell = "lstm");

    /// [T, N, in] becomes [T, N, 2 × hidden].
    torch::Tensor forward(const torch::Tensor& steps);
    /// Orthogonal over each direction's whole kernel; forget gates start open.
    void initialise(const Initialiser& initialiser, const std::string& prefix);

private:
    struct Direction {
        torch::Tensor input, hidden, bias, peepholes;
    };
    torch::Tensor along(const Direction& direction, const torch::Tensor& steps, bool isBackward) const;

    RecurrentCell m_cell;
    bool m_isPlain; ///< an LSTM, which has kernels of its own
    Direction m_past, m_future;
};

/// Bidirectional layers, each with a projection and ReLU behind it. Children rnn0, projection0, rnn1, …
class SequenceEncoder final : public torch::nn::Module {
public:
    struct Shape {
        std::int64_t in, layers, hidden, outputs;
        std::string cell = "lstm";
    };
    explicit SequenceEncoder(const Shape& shape);

    /// A map [N, in, 1, T] becomes float32 [N, T, `outputs()`], under autocast too.
    torch::Tensor forward(const torch::Tensor& map);
    std::int64_t outputs() const { return m_outputs; }
    void initialise(const Initialiser& initialiser, const std::string& prefix);

private:
    std::vector<std::shared_ptr<BidirectionalLayer>> m_layers;
    std::vector<std::shared_ptr<Dense>> m_projections;
    std::int64_t m_outputs;
};

} // namespace trainyard
