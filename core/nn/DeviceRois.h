#pragma once

#include "core/nn/RoiAlign.h"
#include "core/nn/RoiPool.h"

#include <utility>

namespace trainyard {

/// The GPU's twins of the operators on regions of interest, from the kernels of RoiKernels.cu on the current stream.
/// `rois` is contiguous, of the type that is computed with; a region that names no image gives zeros. Gradients come
/// back in that type and for maps of `sizes`; their sums are in no fixed order.
at::Tensor roiAlignOnDevice(const at::Tensor& features, const at::Tensor& rois, const RoiAlignShape& shape);
at::Tensor roiAlignGradientOnDevice(const at::Tensor& gradient, const at::Tensor& rois, at::IntArrayRef sizes,
                                    const RoiAlignShape& shape);

/// Values, and the cell that each came from (-1: none).
std::pair<at::Tensor, at::Tensor> roiPoolOnDevice(const at::Tensor& features, const at::Tensor& rois,
                                                  const RoiPoolShape& shape);
at::Tensor roiPoolGradientOnDevice(const at::Tensor& gradient, const at::Tensor& owners, const at::Tensor& rois,
                                   at::IntArrayRef sizes);

at::Tensor positionSensitiveRoiPoolOnDevice(const at::Tensor& features, const at::Tensor& rois,
                                            const PositionSensitiveShape& shape);
at::Tensor positionSensitiveGradientOnDevice(const at::Tensor& gradient, const at::Tensor& rois, at::IntArrayRef sizes,
                                             const PositionSensitiveShape& shape);

} // namespace trainyard
