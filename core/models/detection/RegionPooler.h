#pragma once

#include "core/models/detection/RoiLevels.h"

#include <ATen/core/Tensor.h>

#include <cstdint>
#include <string>
#include <vector>

namespace trainyard {

/// How a head reads its regions.
struct RegionPoolerShape {
    std::string method = "align";           ///< align, pool
    std::int64_t resolution = 7;            ///< cells each way
    std::int64_t samples = 2;               ///< of a cell, each way; 0: as many as it spans
    std::vector<std::int64_t> strides = {}; ///< of the levels there are; of several the topmost is not read
    BoxConvention convention = BoxConvention::Torchvision;
};

/// Regions of one level, or each of the level of a pyramid that suits its size. Immutable; any thread.
class RegionPooler {
public:
    explicit RegionPooler(const RegionPoolerShape& shape) : m_shape(shape) {}

    /// `rois` is [R, 5]: [R, C, resolution, resolution].
    at::Tensor operator()(const std::vector<at::Tensor>& levels, const at::Tensor& rois) const;

private:
    at::Tensor read(const at::Tensor& level, const at::Tensor& rois, double scale) const;

    RegionPoolerShape m_shape;
};

} // namespace trainyard
