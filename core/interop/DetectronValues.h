#pragma once

#include "core/interop/DetectronFacts.h"
#include "core/interop/WeightMatch.h"

namespace trainyard {

// Detectron's networks see blue, green, red less a mean, and its RetinaNet counts anchors by scale and then ratio. Ours
// may see and count otherwise: these change the values that depend on it. All return new tensors.

/// A first convolution [out, 3, kh, kw] for the model's pixels. What the other mean adds to each output, padding apart,
/// goes into `offset` [out].
at::Tensor firstConvolution(const at::Tensor& weight, const DetectronFacts& facts, const PixelScale& pixels,
                            at::Tensor& offset);

/// Rows [scales × ratios × K, …] in the order ratio, scale. Unchanged where the two sides do not have the same ratios.
at::Tensor anchorRows(const at::Tensor& values, const DetectronFacts& facts, const std::vector<double>& ratios);

} // namespace trainyard
