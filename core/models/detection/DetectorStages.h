#pragma once

#include "core/models/Batch.h"
#include "core/models/detection/Suppression.h"

#include <ATen/core/Tensor.h>

#include <vector>

namespace trainyard {

/// What the heads behind a detector say of some boxes of one image, before it is laid into the picture.
struct RegionMaps {
    at::Tensor masks;     ///< float [K, M, M], probabilities, each of its box's class; undefined without a mask head
    at::Tensor keypoints; ///< float [K, P, S, S], logits; undefined without a keypoint head
};

/// A detector that can be asked step by step, so that what it says of several views of an image is combined between
/// the steps (test-time augmentation). A model that implements this beside `Model` can be used so. In eval mode,
/// without gradients; answers on the CPU in float32.
class DetectorStages {
public:
    virtual ~DetectorStages() = default;

    /// What its own `predict` does with the candidates.
    virtual SuppressionRules suppression() const = 0;

    /// What is found in each image before suppression: boxes and scores of every class above the score threshold, in
    /// pixels of the image file, without masks and keypoints.
    virtual std::vector<std::vector<Detection>> candidates(const Batch& batch) = 0;

    /// What the other heads say of the `boxes` of each image, in pixels of the image file, in their order.
    virtual std::vector<RegionMaps> regionMaps(const Batch& batch, const std::vector<std::vector<Detection>>& boxes) {
        static_cast<void>(batch);
        return std::vector<RegionMaps>(boxes.size());
    }
};

} // namespace trainyard
