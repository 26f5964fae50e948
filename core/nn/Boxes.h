#pragma once

#include <ATen/core/Tensor.h>

#include <array>

namespace trainyard {

/// How boxes are measured, and what counts as too much overlap.
enum class BoxConvention {
    Torchvision, ///< x2 and y2 are edges: width x2 - x1; suppressed above the threshold
    Detectron,   ///< x2 and y2 are pixels that belong to the box: width x2 - x1 + 1; suppressed from the threshold on
};

/// Boxes [K, 4] whose x2 and y2 are edges, from boxes of `convention`; and back.
at::Tensor toEdges(const at::Tensor& boxes, BoxConvention convention);
at::Tensor fromEdges(const at::Tensor& boxes, BoxConvention convention);

/// Intersection over union of every pair: float [A, B]. `a` is [A, 4], `b` is [B, 4], x1 y1 x2 y2.
/// For short lists: a long list against many goes through `AnchorMatcher`, which makes no A × B table.
at::Tensor pairwiseIou(const at::Tensor& a, const at::Tensor& b, BoxConvention convention = BoxConvention::Torchvision);

/// Boxes as offsets from reference boxes (anchors, proposals) and back.
/// Source: Girshick et al. 2014, "Rich feature hierarchies", appendix C; weights and clamp as in torchvision.
struct BoxCoder {
    std::array<double, 4> weights = {1, 1, 1, 1};          ///< of the offsets dx dy dw dh
    double largestLogSize = 4.135166556742356;             ///< log(1000 / 16): dw and dh are cut off here before exp
    BoxConvention convention = BoxConvention::Torchvision; ///< of boxes and references

    /// Offsets [K, 4] that turn `references` into `boxes`, both [K, 4] with positive width and height.
    at::Tensor encode(const at::Tensor& boxes, const at::Tensor& references) const;
    /// Boxes [K, 4] from `offsets` [K, 4].
    at::Tensor decode(const at::Tensor& offsets, const at::Tensor& references) const;
};

} // namespace trainyard
