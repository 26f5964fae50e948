#pragma once

#include "core/config/RunConfig.h"
#include "core/models/Batch.h"

#include <ATen/core/Tensor.h>

namespace trainyard {

/// What every anchor of a batch is to say: the images' anchors one after the other, N × R rows.
struct AnchorTargets {
    at::Tensor labels;         ///< int64 [N × R]: a class, kBackground or kIgnored
    at::Tensor weights;        ///< float [N × R], of each anchor's loss
    at::Tensor foregroundRows; ///< int64 [F], rising
    at::Tensor offsets;        ///< float [F, 4] that the foreground anchors are to predict
    /// As Detectron counts them: the foreground's before weak matches are dropped, and what no class or another one is
    /// to be seen at; one more anchor of each kind an image. 0 in torchvision's convention.
    double foreground = 0, background = 0;

    AnchorTargets to(const at::Device& device) const;
};

/// Matches each image's boxes to `anchors`, float [R, 4] on the CPU, of the configuration's convention. Torchvision: an
/// anchor weighs 1 / (N × its image's foreground anchors, at least one). Detectron: a box's best anchor is background
/// all the same where they overlap less than background may; all anchors weigh 1 / n, where n is the number of
/// foreground anchors before that and one more for each image. Throws when a label is not a class.
AnchorTargets anchorTargets(const Batch& batch, const at::Tensor& anchors, const RetinaNetConfig& config);

} // namespace trainyard
