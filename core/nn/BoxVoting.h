#pragma once

#include "core/nn/Boxes.h"

#include <ATen/core/Tensor.h>

namespace trainyard {

/// Boxes of one image with their scores and classes.
struct ScoredBoxes {
    at::Tensor boxes;  ///< float [N, 4]
    at::Tensor scores; ///< float [N]
    at::Tensor labels; ///< int64 [N]
};

struct BoxVotingRules {
    /// What the score of a voted box is, of the scores s of its n voters.
    enum class Scoring {
        Unchanged,       ///< its own
        Mean,            ///< Σ s / n
        OverlapMean,     ///< mean weighted by overlap
        GeneralisedMean, ///< (Σ s^beta / n)^(1 / beta)
        QuasiSum,        ///< Σ s / n^beta
        TemperedMean,    ///< mean of s^(1 / beta) / (s^(1 / beta) + (1 - s)^(1 / beta))
    };
    double leastOverlap = 0.8; ///< boxes with at least this overlap vote
    Scoring scoring = Scoring::Unchanged;
    double beta = 1;
    BoxConvention convention = BoxConvention::Torchvision;
};

/// `kept` with each box replaced by the mean of the boxes of `all` of its class that overlap it enough, weighted by
/// their scores; `all` is what there was before suppression. A box that nobody with a score votes for stays.
/// Source: Gidaris and Komodakis 2015, "Object detection via a multi-region CNN"; scorings as in Detectron.
ScoredBoxes voteBoxes(const ScoredBoxes& kept, const ScoredBoxes& all, const BoxVotingRules& rules);

} // namespace trainyard
