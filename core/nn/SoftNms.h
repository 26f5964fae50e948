#pragma once

#include "core/nn/Boxes.h"

#include <ATen/core/Tensor.h>

namespace trainyard {

struct SoftNmsRules {
    enum class Method {
        Hard,    ///< a box that overlaps a better one by more than `maxOverlap` goes
        Linear,  ///< its score is multiplied by 1 - overlap
        Gaussian ///< every score is multiplied by exp(-overlap² / sigma)
    };
    Method method = Method::Linear;
    double maxOverlap = 0.3;
    double sigma = 0.5;
    double leastScore = 1e-4; ///< boxes whose score sinks below are dropped
    BoxConvention convention = BoxConvention::Torchvision;
};

/// What is left after suppression: rows of the boxes, best new score first.
struct Rescored {
    at::Tensor rows;   ///< int64 [K]
    at::Tensor scores; ///< float [K]
};

/// Suppression that lowers scores in place of dropping boxes, within each class: the best box of those left is taken,
/// the others pay for their overlap with it. Arguments as those of `batchedNms`; equal scores keep the order of rows.
/// Source: Bodla et al. 2017, "Soft-NMS"; the floor as in Detectron.
Rescored softNms(const at::Tensor& boxes, const at::Tensor& scores, const at::Tensor& labels,
                 const SoftNmsRules& rules);

} // namespace trainyard
