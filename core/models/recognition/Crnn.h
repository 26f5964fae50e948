#pragma once

#include "core/models/Model.h"
#include "core/models/recognition/CtcAlphabet.h"
#include "core/nn/Convolution.h"
#include "core/nn/Dropout.h"
#include "core/nn/Norm.h"

#include <torch/nn/modules/linear.h>
#include <torch/nn/modules/rnn.h>

namespace trainyard {

/// Seven convolutions that bring [N, C, H, W] down to a row of W / 4 steps: float [N, 8 × stem, 1, W / 4].
/// Children conv0…conv6 and norm0…norm6. `height` is a multiple of 16.
/// Where `widths`, int64 [N] of multiples of 4, say how far each picture reaches, what lies beyond is 0 behind every
/// convolution: a picture gives the same features however wide its batch is (in training, batch normalisation's
/// statistics see the padding).
class CrnnStem final : public torch::nn::Module {
public:
    CrnnStem(const CrnnConfig& config, const std::string& norm);
    torch::Tensor forward(const torch::Tensor& images, const torch::Tensor& widths = {});

private:
    std::vector<std::shared_ptr<Convolution>> m_convolutions;
    std::vector<std::shared_ptr<Norm>> m_norms;
};

/// A text recogniser: convolutions, bidirectional LSTMs, CTC. Loss "ctc".
/// Source: Shi et al. 2015, "An End-to-End Trainable Neural Network for Image-based Sequence Recognition"; here every
/// convolution may be normalised, and the last one keeps the width, so that there are exactly W / 4 steps.
class Crnn final : public Model {
public:
    /// Values are still unset: see makeCrnn.
    Crnn(const CrnnConfig& config, const std::string& norm, std::uint64_t seed);

    Losses losses(const Batch& batch) override;
    std::vector<Prediction> predict(const Batch& batch) override;
    std::vector<std::string> classDependent() const override;

    /// Scores of every step: float [T, N, C], the blank at 0.
    torch::Tensor logits(const Batch& batch);
    void initialise(std::uint64_t seed);

private:
    CtcAlphabet m_alphabet;
    std::shared_ptr<CrnnStem> m_stem;
    std::vector<torch::nn::LSTM> m_layers;
    std::shared_ptr<Dropout> m_dropout; ///< null where there is none
    torch::nn::Linear m_head{nullptr};
};

/// Fails with a Usage error when the alphabet is empty or the height no multiple of 16.
Result<std::shared_ptr<Model>> makeCrnn(const RunConfig& config, const ModelContext& context);

} // namespace trainyard
