#pragma once

#include "core/models/detection/BoxHead.h"
#include "core/nn/Convolution.h"
#include "core/nn/RoiPool.h"

#include <torch/nn/module.h>

#include <memory>

namespace trainyard {

struct PositionSensitiveHeadShape {
    std::int64_t in = 2048;
    std::int64_t reduced = 1024; ///< channels of a 1×1 convolution with ReLU first; 0 leaves it out
    std::int64_t classes = 20;
    bool isClassAgnostic = false;
    PositionSensitiveShape pooling; ///< k bins, and the stride of the features
};

/// R-FCN's head: every class, and every box offset, has k × k score maps, each of which votes where its part of the
/// object should be; a region's score is the mean of its votes. Children conv_new, cls_maps and bbox_maps, maps in the
/// order (class · k + row) · k + column. Source: Dai et al. 2016, "R-FCN".
class PositionSensitiveHead final : public torch::nn::Module {
public:
    explicit PositionSensitiveHead(const PositionSensitiveHeadShape& shape);

    /// `features` [N, in, H, W] and `rois` [R, 5] to what the box head says of each region.
    BoxOutput forward(const torch::Tensor& features, const torch::Tensor& rois);

private:
    PositionSensitiveHeadShape m_shape;
    std::shared_ptr<Convolution> m_reduction; ///< null without one
    std::shared_ptr<Convolution> m_scores, m_offsets;
};

} // namespace trainyard
