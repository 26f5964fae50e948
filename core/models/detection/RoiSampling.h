#pragma once

#include "core/base/Random.h"
#include "core/models/detection/RpnTargets.h"

#include <ATen/core/Tensor.h>

#include <array>
#include <vector>

namespace trainyard {

struct RoiSamplingRules {
    BoxConvention convention = BoxConvention::Torchvision;
    std::int64_t regionsAnImage = 512;
    double foregroundShare = 0.25; ///< of these, at most
    double foregroundIou = 0.5;    ///< an overlap of at least this makes a region an object's
    double backgroundIou = 0.5;    ///< less than this with every object makes it background …
    double leastBackgroundIou = 0; ///< … if it is at least this
    double crowdShare = 0.7; ///< with more of itself in a crowd, a region without object is left out; above 1: never
    std::array<double, 4> boxWeights = {10, 10, 5, 5}; ///< of the offsets dx dy dw dh
};

/// The regions of one image that the heads learn from: the objects' first (Detectron) or in the order of proposals.
struct RoiSample {
    at::Tensor boxes;   ///< float [S, 4]
    at::Tensor labels;  ///< int64 [S]: a class counted from 1; 0 is background
    at::Tensor owners;  ///< int64 [S]: row of the region's object; -1 for background
    at::Tensor offsets; ///< float [S, 4] to the object; 0 for background
};

/// Draws from the proposals [K, 4] and the objects' own boxes (crowds are no objects), without replacement: there may
/// be fewer than the rules ask for. On the CPU.
RoiSample sampleRois(const at::Tensor& proposals, const ImageObjects& image, const RoiSamplingRules& rules,
                     Random& random);

/// float [sum of R, 5]: the boxes of each image behind its number, as `roiAlign` wants them.
at::Tensor roisOf(const std::vector<at::Tensor>& boxes);

} // namespace trainyard
