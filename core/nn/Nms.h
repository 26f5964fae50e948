#pragma once

#include "core/nn/Boxes.h"

#include <ATen/core/Tensor.h>

namespace trainyard {

/// Rows of `boxes` that survive greedy non-maximum suppression, best score first: int64 [K].
/// `boxes` is float [N, 4] as x1 y1 x2 y2, `scores` float [N]; a box goes when its overlap with a better kept one is
/// more than `maxOverlap`, or as much (Detectron's convention). Equal scores keep the order of their rows. Runs on the
/// CPU, answers on the boxes' device. Throws on any other shape.
at::Tensor nms(const at::Tensor& boxes, const at::Tensor& scores, double maxOverlap,
               BoxConvention convention = BoxConvention::Torchvision);

/// The same within each class of `labels`, int64 [N]: boxes of different classes never suppress one another.
at::Tensor batchedNms(const at::Tensor& boxes, const at::Tensor& scores, const at::Tensor& labels, double maxOverlap,
                      BoxConvention convention = BoxConvention::Torchvision);

} // namespace trainyard
