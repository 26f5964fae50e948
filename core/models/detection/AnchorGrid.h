#pragma once

#include "core/config/RunConfig.h"

#include <ATen/core/Tensor.h>

#include <cstdint>
#include <utility>
#include <vector>

namespace trainyard {

/// The anchors of every place of every level, in the order of RetinaNetOutput: level, row, column, ratio, size.
/// Values as torchvision's AnchorGenerator: sides are cut to whole pixels, half sides rounded to even, and the step of
/// a level is the input's size by the level's, in whole pixels. Owned by one model; makes each size once.
class AnchorGrid {
public:
    using Size = std::pair<std::int64_t, std::int64_t>; ///< height, width

    explicit AnchorGrid(const RetinaNetConfig& config);

    std::int64_t anchorsAPlace() const { return m_base.front().size(0); }
    /// float [R, 4] on `device`, for a network input of `input` pixels and levels of the given sizes.
    const at::Tensor& anchors(Size input, const std::vector<Size>& levels, const at::Device& device);
    /// Rows of each level.
    static std::vector<std::int64_t> rowsALevel(const std::vector<Size>& levels, std::int64_t anchorsAPlace);

private:
    std::vector<at::Tensor> m_base; ///< a level: [A, 4] around 0, 0
    at::Tensor m_anchors;           ///< of the sizes below
    Size m_input;
    std::vector<Size> m_levels;
};

} // namespace trainyard
