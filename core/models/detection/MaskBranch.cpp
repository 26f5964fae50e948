#include "core/models/detection/MaskBranch.h"

#include "core/models/detection/MaskTargets.h"
#include "core/models/detection/RcnnRules.h"

#include <torch/nn/module.h>

namespace trainyard {
namespace {

/// What a shared stage sees is read as the box head reads it.
RegionPoolerShape poolerOf(const RcnnConfig& config, const DetectorBody& body) {
    const bool isShared = config.mask.head == "shared_stage";
    return {isShared ? config.box.pooling : "align", isShared ? config.box.resolution : config.mask.resolution,
            isShared ? config.box.samples : config.mask.samples, body.strides(), conventionOf(config.convention)};
}

/// What each region of one image is to show, float [K, size, size].
at::Tensor targetsOf(const RoiSample& regions, const ImageTruth& image, std::int64_t size, BoxConvention convention) {
    const MaskGrid grid{size, std::int64_t(image.objects.height), std::int64_t(image.objects.width)};
    if (convention == BoxConvention::Torchvision)
        return maskTargets(image.shapes, regions.boxes, regions.owners, grid, convention);
    const bool* crowd = image.objects.isCrowd.data_ptr<bool>();
    const std::vector<bool> isCrowd(crowd, crowd + image.shapes.size());
    const at::Tensor owners = ownersByTightBox(image.shapes, isCrowd, regions.boxes);
    return maskTargets(image.shapes, regions.boxes, owners, grid, convention);
}

} // namespace

MaskBranch::MaskBranch(torch::nn::Module& heads, const RcnnConfig& config, const DetectorBody& body,
                       std::shared_ptr<StageBoxHead> shared)
    : m_config(config.mask), m_convention(conventionOf(config.convention)), m_pooler(poolerOf(config, body)) {
    std::int64_t channels = 0;
    if (m_config.head == "convolutions") {
        m_head = heads.register_module("mask_head", std::make_shared<MaskHead>(MaskHeadShape{
                                                        body.channels(), m_config.channels, m_config.convolutions,
                                                        m_config.dilation, config.headNorm}));
        channels = m_config.convolutions > 0 ? m_config.channels : body.channels();
    } else if (m_config.head == "stage") {
        m_stage = heads.register_module("mask_head", std::make_shared<StageBoxHead>(stageShapeOf(body)));
        channels = m_stage->outputs();
    } else {
        TORCH_CHECK(shared, "The mask head is to share the box head's stage, but there is none.");
        m_shared = std::move(shared);
        channels = m_shared->outputs();
    }
    m_predictor = heads.register_module(
        "mask_predictor",
        std::make_shared<MaskPredictor>(channels, m_config.channels, m_config.classAgnostic ? 1 : 1 + config.classes));
}

torch::Tensor MaskBranch::logits(const std::vector<at::Tensor>& levels, const at::Tensor& rois) {
    const torch::Tensor regions = m_pooler(levels, rois);
    if (m_head)
        return m_predictor->forward(m_head->forward(regions));
    return m_predictor->forward((m_stage ? m_stage : m_shared)->maps(regions));
}

torch::Tensor MaskBranch::logitsOfMaps(const torch::Tensor& maps) {
    return m_predictor->forward(maps);
}

torch::Tensor MaskBranch::loss(const torch::Tensor& logits, const std::vector<RoiSample>& objects,
                               const std::vector<ImageTruth>& images) const {
    std::vector<at::Tensor> labels, targets;
    for (std::size_t i = 0; i < images.size(); ++i) {
        labels.push_back(objects[i].labels);
        if (objects[i].labels.size(0) == 0)
            continue;
        TORCH_CHECK(!images[i].shapes.empty(), "An object has no outline, but the model is to learn outlines.");
        targets.push_back(targetsOf(objects[i], images[i], logits.size(2), m_convention));
    }
    if (targets.empty())
        return logits.sum() * 0;
    return maskLoss(logits, at::cat(labels).to(logits.device()), at::cat(targets).to(logits.device())) *
           m_config.lossWeight;
}

at::Tensor MaskBranch::probabilities(const torch::Tensor& logits, const at::Tensor& labels) const {
    const at::Tensor own = logits.detach().to(at::kCPU, at::kFloat), rows = at::arange(own.size(0), at::kLong);
    const at::Tensor masks = own.size(1) == 1 ? at::zeros_like(labels) : labels + 1; // 0 is background's
    return own.index({rows, masks}).sigmoid();
}

} // namespace trainyard
