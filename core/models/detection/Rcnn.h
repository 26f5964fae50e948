#pragma once

#include "core/models/Model.h"
#include "core/models/detection/DetectorBody.h"
#include "core/models/detection/DetectorStages.h"
#include "core/models/detection/RcnnRules.h"
#include "core/models/detection/RegionHeads.h"
#include "core/models/detection/RegionProposer.h"

#include <memory>
#include <string>
#include <vector>

namespace trainyard {

/// A detector by regions, whichever its type names: body → proposals (its own network's or given ones) → heads. Names
/// of parameters (children backbone, rpn, roi_heads), losses and results are torchvision's in its convention; losses
/// are named and made as Detectron's in the other. Which regions the losses are made of is drawn from the generator of
/// the device, once a batch. Without boxes (rpn) a prediction is the proposals, of class 0, scored by objectness.
/// Source: Girshick 2015; Ren et al. 2015; He et al. 2017; Dai et al. 2016.
class Rcnn final : public Model, public DetectorStages {
public:
    /// `config.classes` is known; values are still unset: see makeRcnn.
    Rcnn(const RcnnConfig& config, const RcnnParts& parts, const std::string& norm);

    Losses losses(const Batch& batch) override;
    std::vector<Prediction> predict(const Batch& batch) override;
    /// "accuracy_cls", where there are boxes.
    std::vector<std::pair<std::string, double>> metrics() const override;
    std::vector<std::string> classDependent() const override;

    SuppressionRules suppression() const override;
    std::vector<std::vector<Detection>> candidates(const Batch& batch) override;
    std::vector<RegionMaps> regionMaps(const Batch& batch, const std::vector<std::vector<Detection>>& boxes) override;

    /// He's normal for the body and the heads' convolutions, uniform by inputs for pyramid and linear layers, small
    /// normals for what proposes, scores and moves boxes.
    void initialise(std::uint64_t seed);

private:
    struct Proposed {
        std::vector<at::Tensor> boxes, scores; ///< an image; given ones have no scores
    };
    std::vector<Prediction> inFiles(const std::vector<FoundObjects>& found, const Batch& batch) const;
    Proposed proposed(const std::vector<at::Tensor>& levels, const Batch& batch);

    RcnnConfig m_config;
    RcnnParts m_parts;
    BoxConvention m_convention;
    std::shared_ptr<DetectorBody> m_body;
    std::shared_ptr<RegionProposer> m_proposer; ///< null where regions are given
    std::shared_ptr<RegionHeads> m_heads;       ///< null where proposals are all
};

/// The model of any type of `model.rcnn`. Fails with a Usage error when neither configuration nor data name classes, or
/// they contradict each other.
Result<std::shared_ptr<Model>> makeRcnn(const RunConfig& config, const ModelContext& context);

} // namespace trainyard
