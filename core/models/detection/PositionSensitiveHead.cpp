#include "core/models/detection/PositionSensitiveHead.h"

#include <torch/nn/module.h>

namespace trainyard {

PositionSensitiveHead::PositionSensitiveHead(const PositionSensitiveHeadShape& shape) : m_shape(shape) {
    const std::int64_t maps = shape.pooling.bins * shape.pooling.bins,
                       boxes = shape.isClassAgnostic ? 2 : 1 + shape.classes;
    const std::int64_t in = shape.reduced > 0 ? shape.reduced : shape.in;
    if (shape.reduced > 0)
        m_reduction =
            register_module("conv_new", std::make_shared<Convolution>(Convolution::Shape{shape.in, shape.reduced, 1}));
    m_scores = register_module("cls_maps",
                               std::make_shared<Convolution>(Convolution::Shape{in, (1 + shape.classes) * maps, 1}));
    m_offsets =
        register_module("bbox_maps", std::make_shared<Convolution>(Convolution::Shape{in, 4 * boxes * maps, 1}));
}

BoxOutput PositionSensitiveHead::forward(const torch::Tensor& features, const torch::Tensor& rois) {
    const torch::Tensor reduced = m_reduction ? m_reduction->forward(features).relu_() : features;
    const auto votes = [&](const std::shared_ptr<Convolution>& maps) {
        return positionSensitiveRoiPool(maps->forward(reduced).to(torch::kFloat), rois, m_shape.pooling)
            .mean(std::vector<std::int64_t>{2, 3});
    };
    return {votes(m_scores), votes(m_offsets)};
}

} // namespace trainyard
