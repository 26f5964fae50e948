#pragma once

#include "core/models/recognition/BeamSearch.h"
#include "core/models/recognition/RecurrentCell.h"
#include "core/nn/Dense.h"
#include "core/nn/Initialiser.h"

namespace trainyard {

/// Reads a word character by character. A step looks at the memory by what it knows so far, then moves on with the
/// label before and with what it saw; the first step knows nothing (a state of zero). A decoder that lags moves on
/// first, with what the step before saw, and looks then. Labels are LabelMap's.
///
/// Children memory_layer, query_layer, output; parameters "attention", "label_weight" [labels, gates × units],
/// "context_weight", "hidden_weight" and "bias", which together are one recurrent cell, and "peepholes" where it has
/// such. Of several memories each has an attention of its own, numbered from 1 behind the first. A language cell beside
/// knows the labels alone: "language_label_weight", "language_hidden_weight", "language_bias".
/// Sources: Bahdanau et al. 2014, "Neural Machine Translation by Jointly Learning to Align and Translate"; Shi et al.
/// 2018, "ASTER", section 3.2.
class AttentionDecoder final : public torch::nn::Module {
public:
    struct Shape {
        std::int64_t labels, memory, attention, units;
        std::int64_t memories = 1;
        std::string cell = "lstm";
        bool lags = false;
        std::int64_t languageUnits = 0; ///< 0 has no language cell
    };
    explicit AttentionDecoder(const Shape& shape);

    /// Scores of every step, [N, T, labels], when each is told the right label before: of each of `memories` [N, L,
    /// memory], `inputs` int64 [N, T].
    torch::Tensor taught(at::TensorList memories, const torch::Tensor& inputs);
    BeamSearch::Reading read(at::TensorList memories, const BeamSearch& search);

    void initialise(const Initialiser& initialiser, const std::string& prefix);

    /// What B hypotheses a sample know: [N, B, …] each.
    struct State {
        torch::Tensor hidden, cell; ///< of the decoder's cell
        torch::Tensor seen;         ///< by the step before, where the decoder lags
        torch::Tensor languageHidden, languageCell;
        /// Every part by `change`; parts that there are not stay so.
        template <class Change>
        State changed(const Change& change) const {
            const auto one = [&](const torch::Tensor& part) { return part.defined() ? change(part) : part; };
            return {one(hidden), one(cell), one(seen), one(languageHidden), one(languageCell)};
        }
    };
    /// Memories, and what attention makes of each once and for all.
    struct Memory {
        std::vector<torch::Tensor> values, keys;
    };
    Memory remember(at::TensorList memories);
    State begin(std::int64_t samples, std::int64_t hypotheses) const;
    /// One step with the labels before it, int64 [N, B].
    State step(const Memory& memory, const State& state, const torch::Tensor& labels);
    torch::Tensor logits(const State& state) { return m_output->forward(shown(state)); }

private:
    /// How one memory is looked at.
    struct Look {
        std::shared_ptr<Dense> memoryLayer, queryLayer;
        torch::Tensor attention;
    };
    /// What is seen of the memories, [N, B, memories × memory].
    torch::Tensor attended(const Memory& memory, const torch::Tensor& hidden);
    State moved(const Memory& memory, const State& state, const torch::Tensor& fromLabels,
                const torch::Tensor& fromLanguageLabels);
    /// What the output layer is shown: [N, B, units (+ language units)].
    torch::Tensor shown(const State& state) const;
    torch::Tensor languageInputs(const torch::Tensor& labels) const;

    RecurrentCell m_cell;
    bool m_lags;
    std::vector<Look> m_looks;
    std::shared_ptr<Dense> m_output;
    torch::Tensor m_labelWeight, m_contextWeight, m_hiddenWeight, m_bias, m_peepholes;
    torch::Tensor m_languageLabelWeight, m_languageHiddenWeight, m_languageBias; ///< undefined without a language cell
};

} // namespace trainyard
