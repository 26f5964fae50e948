#pragma once

#include <ATen/core/Tensor.h>

#include <string_view>

namespace trainyard {

/// Where control points lie in a picture of width and height 1: float64 [K, 2] as x y, the upper row from left to
/// right, then the lower one.
struct ControlPoints {
    std::int64_t count = 20;         ///< K, even and at least 4
    double marginX = 0, marginY = 0; ///< of the picture that both rows leave free

    /// Two straight rows along the upper and the lower margin.
    at::Tensor canonical() const;
    /// "identity" is the canonical points; "slope" two rows that fall to the right; "sine" two waves of one
    /// period. The margins count for x alone in "sine". Throws on any other name.
    at::Tensor pattern(std::string_view name) const;
};

/// The thin-plate spline that takes fixed points of an output picture to points chosen anew for each picture, as one
/// matrix: float64 [height × width, K]. Times K points, [K, 2], it is the source point of every output pixel, row by
/// row; pixels stand for their centres. `fixedPoints` is float64 [K, 2] in a picture of width and height 1.
/// Source: Bookstein 1989, "Principal Warps"; in this form Shi et al. 2018, "ASTER", section 3.1.
at::Tensor thinPlateBasis(const at::Tensor& fixedPoints, std::int64_t height, std::int64_t width);

} // namespace trainyard
