#pragma once

#include "core/models/Batch.h"
#include "core/models/detection/Proposals.h"
#include "core/models/detection/RpnTargets.h"

#include <ATen/core/Tensor.h>

#include <vector>

namespace trainyard {

/// What is known of one image of a batch, on the CPU in network pixels.
struct ImageTruth {
    ImageObjects objects;            ///< boxes of the asked convention
    at::Tensor keypoints;            ///< float [M, K, 3]; undefined where the batch has none
    std::vector<ObjectShape> shapes; ///< one an object; empty where the batch has none
};

/// The batch's targets, image by image. Throws when a label is not below `classes`; 0 leaves labels unseen.
std::vector<ImageTruth> truthOf(const Batch& batch, BoxConvention convention, std::int64_t classes);

/// Each image inside its padding; the whole input where the batch does not say. Nothing for a batch without images.
std::vector<PictureSize> picturesOf(const Batch& batch);

/// The proposals that came with the batch, float [K, 4] of the asked convention for each image, on the CPU. Throws when
/// there are none.
std::vector<at::Tensor> givenProposals(const Batch& batch, BoxConvention convention);

/// What is known of sample `i`; the plain network pixels where nothing is.
SampleInfo sampleOf(const Batch& batch, std::size_t i);

} // namespace trainyard
