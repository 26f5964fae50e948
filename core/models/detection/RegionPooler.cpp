#include "core/models/detection/RegionPooler.h"

#include "core/nn/RoiPool.h"

#include <ATen/ATen.h>

namespace trainyard {

at::Tensor RegionPooler::operator()(const std::vector<at::Tensor>& levels, const at::Tensor& rois) const {
    if (m_shape.strides.size() == 1)
        return read(levels.front(), rois, 1.0 / double(m_shape.strides.front()));
    RoiLevelRules rules;
    rules.convention = m_shape.convention;
    return readOnLevels(levels, rois, rules, [this](const at::Tensor& level, const at::Tensor& own, double scale) {
        return read(level, own, scale);
    });
}

at::Tensor RegionPooler::read(const at::Tensor& level, const at::Tensor& rois, double scale) const {
    const std::int64_t side = m_shape.resolution;
    if (m_shape.method == "pool")
        return roiPool(level, rois, {side, side, scale});
    return roiAlign(level, rois, {side, side, scale, m_shape.samples});
}

} // namespace trainyard
