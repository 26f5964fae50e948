#pragma once

#include "core/models/recognition/BeamSearch.h"
#include "core/nn/Dense.h"
#include "core/nn/Initialiser.h"

namespace trainyard {

/// Reads a word character by character. A step looks at the memory by what it knows so far, then moves on with the
/// label before and with what it saw; the first step knows nothing (a state of zero). Labels are LabelMap's.
/// Children memory_layer, query_layer, output; parameters "attention", "label_weight" [labels, 4 × units],
/// "context_weight", "hidden_weight" and "bias", which together are one LSTM cell with torch's order of gates.
/// Sources: Bahdanau et al. 2014, "Neural Machine Translation by Jointly Learning to Align and Translate"; Shi et al.
/// 2018, "ASTER", section 3.2.
class AttentionDecoder final : public torch::nn::Module {
public:
    struct Shape {
        std::int64_t labels, memory, attention, units;
    };
    explicit AttentionDecoder(const Shape& shape);

    /// Scores of every step, [N, T, labels], when each is told the right label before: `memory` [N, L, memory],
    /// `inputs` int64 [N, T].
    torch::Tensor taught(const torch::Tensor& memory, const torch::Tensor& inputs);
    BeamSearch::Reading read(const torch::Tensor& memory, const BeamSearch& search);

    void initialise(const Initialiser& initialiser, const std::string& prefix);

    /// What B hypotheses a sample know: [N, B, units] each.
    struct State {
        torch::Tensor hidden, cell;
    };
    /// A memory, and what attention makes of it once and for all.
    struct Memory {
        torch::Tensor values, keys;
    };
    Memory remember(const torch::Tensor& memory);
    State begin(std::int64_t samples, std::int64_t hypotheses) const;
    /// One step with the labels before it, int64 [N, B].
    State step(const Memory& memory, const State& state, const torch::Tensor& labels);
    torch::Tensor logits(const torch::Tensor& hidden) { return m_output->forward(hidden); }

private:
    /// What is seen of the memory, [N, B, memory].
    torch::Tensor attended(const Memory& memory, const torch::Tensor& hidden);
    State moved(const State& state, const torch::Tensor& fromLabels, const torch::Tensor& seen) const;

    std::shared_ptr<Dense> m_memoryLayer, m_queryLayer, m_output;
    torch::Tensor m_attention, m_labelWeight, m_contextWeight, m_hiddenWeight, m_bias;
};

} // namespace trainyard
