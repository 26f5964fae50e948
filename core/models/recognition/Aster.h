#pragma once

#include "core/models/Model.h"
#include "core/models/recognition/AttentionDecoder.h"
#include "core/models/recognition/Extractor.h"
#include "core/models/recognition/LabelMap.h"
#include "core/models/recognition/Rectifier.h"
#include "core/models/recognition/SequenceEncoder.h"

namespace trainyard {

/// A text recogniser that straightens a word and reads it in both directions: rectifier → extractor → sequence encoders
/// (one a map of the extractor) → attention decoders. Losses "forward" and "backward", of the directions there are.
/// Of two readings the likelier one counts, of equally likely ones the forward one.
/// Children rectifier, extractor, encoder0 …, forward_decoder, backward_decoder.
/// Source: Shi et al. 2018, "ASTER: An Attentional Scene Text Recognizer with Flexible Rectification".
class Aster final : public Model {
public:
    /// Values are still unset: see makeAster.
    Aster(const AsterConfig& config, const std::string& norm);

    Losses losses(const Batch& batch) override;
    /// A prediction's score is the probability of its text.
    std::vector<Prediction> predict(const Batch& batch) override;
    std::vector<std::string> classDependent() const override;
    /// Of the first two and the last two words of the batch, the image that came in and the straightened one; the
    /// values of the rectifier's two dense layers. Nothing without a rectifier.
    Summary summary(const Batch& batch) override;

    /// What the decoders look at: float32 [N, L, sequence units].
    torch::Tensor memory(const Batch& batch);
    /// Straightened images and control points; without a rectifier the images themselves and no points.
    Rectifier::Rectified rectified(const torch::Tensor& images);
    void initialise(std::uint64_t seed);

private:
    struct Direction {
        std::string name; ///< of its loss
        bool isBackward;
        std::shared_ptr<AttentionDecoder> decoder;
    };

    AsterConfig m_config;
    LabelMap m_labels;
    std::shared_ptr<Rectifier> m_rectifier; ///< null where there is none
    std::shared_ptr<Extractor> m_extractor;
    std::vector<std::shared_ptr<SequenceEncoder>> m_encoders;
    std::vector<Direction> m_directions;
};

/// Fails with a Usage error that names the key of what does not fit together.
Result<std::shared_ptr<Model>> makeAster(const RunConfig& config, const ModelContext& context);

} // namespace trainyard
