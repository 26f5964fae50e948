#pragma once

#include "core/models/Model.h"
#include "core/models/detection/AnchorGrid.h"
#include "core/models/detection/AnchorTargets.h"
#include "core/models/detection/DetectorStages.h"
#include "core/models/detection/FeaturePyramid.h"
#include "core/models/detection/PostProcess.h"
#include "core/models/detection/ResNet.h"
#include "core/models/detection/RetinaNetHead.h"

namespace trainyard {

/// A one-stage detector: ResNet, feature pyramid, two heads over anchors. Parameter names, losses ("classification",
/// "bbox_regression") and predictions as torchvision's RetinaNet; crowds are ignore regions. In Detectron's convention
/// anchors, targets, box coding, the extra levels (from the body) and the losses, "fl_fpn3" and "retnet_loss_bbox_fpn3"
/// and so on, are Detectron's.
/// Source: Lin et al. 2017, "Focal Loss for Dense Object Detection".
class RetinaNet final : public Model, public DetectorStages {
public:
    /// `config.classes` is known; values are still unset: see makeRetinaNet.
    RetinaNet(const RetinaNetConfig& config, const std::string& norm);

    Losses losses(const Batch& batch) override;
    std::vector<Prediction> predict(const Batch& batch) override;
    /// In Detectron's convention "retnet_fg_num" and "retnet_bg_num".
    std::vector<std::pair<std::string, double>> metrics() const override { return m_metrics; }
    SuppressionRules suppression() const override { return {m_config.nmsIou, m_config.maxDetections, {}, {}}; }
    std::vector<std::vector<Detection>> candidates(const Batch& batch) override;
    std::vector<std::string> classDependent() const override;

    /// As torchvision: He's normal for the body, uniform for the pyramid, small normal for the heads, scores near 0.01.
    void initialise(std::uint64_t seed);

private:
    struct Output {
        RetinaNetOutput head;
        at::Tensor anchors; ///< [R, 4]
        std::vector<std::int64_t> rowsALevel;
    };
    Output forward(const at::Tensor& images);
    Losses detectronLosses(const Output& output, const AnchorTargets& targets) const;
    bool isDetectron() const { return m_config.convention == "detectron"; }
    DetectionRules rules() const;
    /// In pixels of the image file.
    std::vector<std::vector<Detection>> find(const Batch& batch, const DetectionRules& rules);

    RetinaNetConfig m_config;
    AnchorGrid m_grid;
    std::shared_ptr<ResNet> m_body;
    std::shared_ptr<FeaturePyramid> m_pyramid;
    std::shared_ptr<RetinaNetHead> m_head;
    std::vector<std::pair<std::string, double>> m_metrics; ///< of the last losses
};

/// Fails with a Usage error when neither configuration nor data name classes, or they contradict each other.
Result<std::shared_ptr<Model>> makeRetinaNet(const RunConfig& config, const ModelContext& context);

} // namespace trainyard
