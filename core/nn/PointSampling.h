#pragma once

#include <ATen/core/Tensor.h>

namespace trainyard {

/// What `images`, float [N, C, H, W], show at `points`, float [N, h, w, 2] as x y in a picture of width and height 1:
/// float [N, C, h, w], channels-last. Point (x, y) is pixel (W x, H y), held within [0, W - 2] and [0, H - 2];
/// between pixels it is bilinear. Gradients reach images and points, but no point that was held.
at::Tensor sampleAt(const at::Tensor& images, const at::Tensor& points);

} // namespace trainyard
