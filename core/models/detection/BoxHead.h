#pragma once

#include "core/models/Model.h"
#include "core/models/detection/Proposals.h"
#include "core/models/detection/RoiSampling.h"
#include "core/nn/BoxVoting.h"
#include "core/nn/Dense.h"
#include "core/nn/SoftNms.h"

#include <torch/nn/module.h>

#include <memory>
#include <optional>
#include <vector>

namespace trainyard {

/// What looks at each region before it is judged.
class BoxHead : public torch::nn::Module {
public:
    virtual torch::Tensor forward(const torch::Tensor& regions) = 0; ///< what was pooled, [R, C, H, W], to [R, out]
    virtual std::int64_t outputs() const = 0;
};

/// Two linear layers with ReLU over all that was pooled of a region: children fc6 and fc7, as torchvision's.
class TwoLayerHead final : public BoxHead {
public:
    TwoLayerHead(std::int64_t in, std::int64_t width);
    torch::Tensor forward(const torch::Tensor& regions) override; ///< C × H × W is `in`
    std::int64_t outputs() const override { return m_width; }

private:
    std::int64_t m_width;
    std::shared_ptr<Dense> m_fc6, m_fc7;
};

/// What the box head says of each region, float32.
struct BoxOutput {
    torch::Tensor logits;  ///< [R, 1 + classes]; 0 is background
    torch::Tensor offsets; ///< [R, 4 × (1 + classes)], or [R, 8] when all classes share them: the last four count
};

/// Scores and box offsets of each region: children cls_score and bbox_pred, as torchvision's.
class BoxPredictor final : public torch::nn::Module {
public:
    BoxPredictor(std::int64_t in, std::int64_t classes, bool isClassAgnostic);
    BoxOutput forward(const torch::Tensor& regions); ///< [R, in]

private:
    std::shared_ptr<Dense> m_scores, m_offsets;
};

/// The losses of sampled regions, named "loss_classifier" and "loss_box_reg" (torchvision; the box loss turns straight
/// at 1/9) or "loss_cls" and "loss_bbox" (Detectron; at 1). The mean cross entropy of the softmax, and the objects' box
/// distances by the number of all regions. Source: Girshick 2015, "Fast R-CNN".
Model::Losses boxLosses(const BoxOutput& output, const std::vector<RoiSample>& samples, BoxConvention convention);

/// The share of regions whose best class is the right one: Detectron's "accuracy_cls".
double boxAccuracy(const BoxOutput& output, const std::vector<RoiSample>& samples);

struct BoxDetectionRules {
    BoxConvention convention = BoxConvention::Torchvision;
    double scoreThreshold = 0.05; ///< a score must be more than this
    double nmsIou = 0.5;
    std::int64_t mostDetections = 100; ///< an image; Detectron keeps all that share the last score
    std::array<double, 4> boxWeights = {10, 10, 5, 5};
    std::optional<SoftNmsRules> softening; ///< scores sink in place of boxes that go
    std::optional<BoxVotingRules> voting;  ///< those left are moved by those that went
};

/// What is found in one image, best first, in network pixels: every class of every region scored, decoded, cut off at
/// the picture, suppressed within its class, perhaps voted on. Boxes are of the rules' convention. `output` is that of
/// `regions` [R, 4] alone. On the CPU.
std::vector<Detection> detectionsOf(const BoxOutput& output, const at::Tensor& regions, const PictureSize& picture,
                                    const BoxDetectionRules& rules);

} // namespace trainyard
