#include "core/models/detection/RoiLevels.h"

#include <ATen/ATen.h>

namespace trainyard {

at::Tensor levelsOf(const at::Tensor& boxes, const RoiLevelRules& rules) {
    constexpr double kBit = 1e-6; // so that a canonical box is not kept out by rounding
    const at::Tensor edges = toEdges(boxes, rules.convention);
    const at::Tensor size =
        ((edges.select(1, 2) - edges.select(1, 0)) * (edges.select(1, 3) - edges.select(1, 1))).sqrt();
    const at::Tensor octaves = rules.convention == BoxConvention::Detectron
                                   ? (size / rules.canonicalSize + kBit).log2()
                                   : (size / rules.canonicalSize).log2() + kBit;
    const at::Tensor level = (octaves + double(rules.canonicalLevel)).floor();
    return level.clamp(double(rules.finest), double(rules.coarsest)).to(at::kLong) - rules.finest;
}

at::Tensor readOnLevels(const std::vector<at::Tensor>& features, const at::Tensor& rois, const RoiLevelRules& rules,
                        const LevelReader& read) {
    const std::int64_t count = rules.coarsest - rules.finest + 1;
    TORCH_CHECK(std::int64_t(features.size()) >= count, "readOnLevels: ", features.size(), " levels, but rules for ",
                count);
    const at::Tensor levels = levelsOf(rois.slice(1, 1, 5), rules);
    std::vector<at::Tensor> parts, rows;
    for (std::int64_t i = 0; i < count; ++i) {
        rows.push_back(at::nonzero(levels == i).squeeze(1));
        parts.push_back(read(features[std::size_t(i)], rois.index_select(0, rows.back()),
                             1.0 / double(std::int64_t(1) << (rules.finest + i))));
    }
    return at::cat(parts).index_select(0, at::argsort(at::cat(rows)));
}

at::Tensor alignOnLevels(const std::vector<at::Tensor>& features, const at::Tensor& rois, const RoiAlignShape& shape,
                         const RoiLevelRules& rules) {
    return readOnLevels(features, rois, rules, [&](const at::Tensor& level, const at::Tensor& own, double scale) {
        RoiAlignShape scaled = shape;
        scaled.scale = scale;
        return roiAlign(level, own, scaled);
    });
}

} // namespace trainyard
