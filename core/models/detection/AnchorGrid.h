#pragma once

#include "core/config/RunConfig.h"
#include "core/nn/Boxes.h"

#include <ATen/core/Tensor.h>

#include <cstdint>
#include <utility>
#include <vector>

namespace trainyard {

/// Which anchors stand at every place of each level.
struct AnchorRules {
    std::vector<std::vector<double>> sizes;       ///< of each level, in network pixels
    std::vector<double> ratios = {0.5, 1.0, 2.0}; ///< height by width
    BoxConvention convention = BoxConvention::Torchvision;
    std::vector<std::int64_t> strides; ///< of each level, network pixels by place; Detectron's convention needs them
    bool isBySize = false;             ///< Detectron's: all ratios of a size together, as its RetinaNet has them
};

/// The anchors of every place of every level, in the order of RetinaNetOutput: level, row, column, ratio, size.
/// Values as torchvision's AnchorGenerator: half sides are rounded to even, anchors stand around the upper left corner
/// of their place, and the step of a level is the input's size by the level's, in whole pixels. Or as Detectron's: a
/// window of one stride gets whole sides for each ratio and is then scaled; it stands in the middle of its place.
/// Owned by one model; makes each size once.
class AnchorGrid {
public:
    using Size = std::pair<std::int64_t, std::int64_t>; ///< height, width

    explicit AnchorGrid(const AnchorRules& rules);
    /// Sizes times scales, in torchvision's convention cut to whole pixels.
    explicit AnchorGrid(const RetinaNetConfig& config);

    std::int64_t anchorsAPlace() const { return m_base.front().size(0); }
    /// float [R, 4] on `device`, for a network input of `input` pixels and levels of the given sizes.
    const at::Tensor& anchors(Size input, const std::vector<Size>& levels, const at::Device& device);
    /// Rows of each level.
    static std::vector<std::int64_t> rowsALevel(const std::vector<Size>& levels, std::int64_t anchorsAPlace);

private:
    AnchorRules m_rules;
    std::vector<at::Tensor> m_base; ///< a level: [A, 4] of the place in row 0 and column 0
    at::Tensor m_anchors;           ///< of the sizes below
    Size m_input;
    std::vector<Size> m_levels;
};

} // namespace trainyard
