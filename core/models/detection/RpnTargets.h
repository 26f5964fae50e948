#pragma once

#include "core/base/Random.h"
#include "core/models/Model.h"
#include "core/models/detection/RpnHead.h"
#include "core/nn/Boxes.h"

#include <ATen/core/Tensor.h>

#include <vector>

namespace trainyard {

struct RpnRules {
    BoxConvention convention = BoxConvention::Torchvision;
    double foregroundIou = 0.7;
    double backgroundIou = 0.3;
    std::int64_t anchorsAnImage = 256; ///< drawn for the losses
    double foregroundShare = 0.5;      ///< of these, at most
    double straddle = 0; ///< Detectron: pixels that an anchor may reach out of its picture; negative: any number
};

/// The ground truth of one image, on the CPU in network pixels, as boxes of the rules' convention.
struct ImageObjects {
    at::Tensor boxes;             ///< float [M, 4]
    at::Tensor labels;            ///< int64 [M], classes from 0
    at::Tensor isCrowd;           ///< bool [M]
    double height = 0, width = 0; ///< of the picture, from the upper left corner of the network's input
};

/// What the drawn anchors of a batch are to say, the images' R anchors one after the other.
struct RpnTargets {
    at::Tensor rows;            ///< int64 [S] of N × R, positives and negatives of one image after the other's
    at::Tensor isObject;        ///< float [S]: 1 for positives
    at::Tensor positiveRows;    ///< int64 [P]
    at::Tensor offsets;         ///< float [P, 4]
    at::Tensor positiveWeights; ///< float [P]: 1 / the number of rows drawn of that image

    RpnTargets to(const at::Device& device) const;
};

/// Anchors that overlap an object by at least `foregroundIou`, or more than any other anchor does, are positive, those
/// that overlap none by `backgroundIou` negative; of both some are drawn. Detectron leaves out what reaches beyond the
/// picture first; torchvision's convention ignores anchors of which half lies in a crowd.
/// `anchors` is float [R, 4] on the CPU.
RpnTargets rpnTargets(const std::vector<ImageObjects>& images, const at::Tensor& anchors, const RpnRules& rules,
                      Random& random);

/// The two losses. Torchvision: "loss_objectness" and "loss_rpn_box_reg", sums over the batch's drawn anchors by their
/// number. Detectron: "loss_rpn_cls" and "loss_rpn_bbox" for one level; for several both of each level, with "_fpn2"
/// and so on from `firstLevel`, the first by the number of anchors that were to be drawn.
Model::Losses rpnLosses(const RpnOutput& output, const RpnTargets& targets, const RpnRules& rules, int firstLevel = 2);

} // namespace trainyard
