#pragma once

#include "core/models/detection/RpnHead.h"
#include "core/nn/Boxes.h"

#include <ATen/core/Tensor.h>

#include <cstdint>
#include <vector>

namespace trainyard {

struct ProposalRules {
    BoxConvention convention = BoxConvention::Torchvision;
    std::int64_t candidatesALevel = 2000; ///< the best go on to suppression; 0 is all
    std::int64_t mostKept = 2000;         ///< of an image in all; Detectron: also of each level
    double nmsIou = 0.7;                  ///< Detectron: 0 is no suppression
    double leastSize = 1e-3; ///< torchvision: of both sides, in network pixels; Detectron: in file pixels, at least 1
    bool isSharedByBatch = false; ///< Detectron while training with a pyramid: `mostKept` is for the whole batch
};

/// The picture that proposals are cut off at, from the upper left corner of the network's input.
struct PictureSize {
    double height = 0, width = 0; ///< network pixels
    double scale = 1;             ///< network pixels by file pixel
};

/// `boxes` [K, 4] cut off at the picture; in Detectron's convention its last pixel is the border.
at::Tensor cutOff(const at::Tensor& boxes, const PictureSize& picture, BoxConvention convention);

/// The proposals of one image, best first, without gradients.
struct ImageProposals {
    at::Tensor boxes;  ///< float [K, 4] in network pixels
    at::Tensor scores; ///< float [K], objectness
};

/// The best of each level of each image, decoded, cut off at the picture, without what is too small, suppressed level
/// by level. Torchvision keeps the best `mostKept` over all levels; Detectron keeps as many of each level (leaving out
/// those whose centre is outside) and then of all, of an image or of the batch. `anchors` is [R, 4] on the outputs'
/// device; works on the CPU, answers on the outputs' device. Equal scores keep the order of rows;
/// what is not finite is no proposal.
std::vector<ImageProposals> proposalsOf(const RpnOutput& output, const at::Tensor& anchors,
                                        const std::vector<PictureSize>& pictures, const ProposalRules& rules);

} // namespace trainyard
