#include "core/nn/BoxVoting.h"

#include <ATen/ATen.h>

namespace trainyard {
namespace {

using Scoring = BoxVotingRules::Scoring;

/// Scores [K] of boxes whose voters are `votes` [K, A] (1 or 0), with `overlaps` [K, A] and the voters' `scores` [A].
at::Tensor votedScores(const at::Tensor& votes, const at::Tensor& overlaps, const at::Tensor& scores,
                       const BoxVotingRules& rules) {
    const at::Tensor voters = votes.sum(1);
    const double beta = rules.beta;
    const auto mean = [&](const at::Tensor& values) { return at::mv(votes, values) / voters; };
    switch (rules.scoring) {
    case Scoring::OverlapMean:
        return at::mv(votes * overlaps, scores) / (votes * overlaps).sum(1);
    case Scoring::GeneralisedMean:
        return mean(scores.pow(beta)).pow(1 / beta);
    case Scoring::QuasiSum:
        return at::mv(votes, scores) / voters.pow(beta);
    case Scoring::TemperedMean: {
        const at::Tensor right = scores.pow(1 / beta), wrong = (1 - scores).pow(1 / beta);
        return mean(right / (right + wrong));
    }
    default:
        return mean(scores);
    }
}

} // namespace

ScoredBoxes voteBoxes(const ScoredBoxes& kept, const ScoredBoxes& all, const BoxVotingRules& rules) {
    const at::Tensor overlaps = pairwiseIou(kept.boxes, all.boxes, rules.convention);
    const at::Tensor isVoter = (overlaps >= rules.leastOverlap).logical_and(kept.labels.unsqueeze(1) == all.labels);
    const at::Tensor votes = isVoter.to(all.scores.scalar_type());
    const at::Tensor weights = votes * all.scores, total = weights.sum(1, /*keepdim=*/true);
    ScoredBoxes voted = kept;
    voted.boxes = at::where(total > 0, at::mm(weights, all.boxes) / total, kept.boxes);
    if (rules.scoring != Scoring::Unchanged)
        voted.scores = at::where(total.squeeze(1) > 0, votedScores(votes, overlaps, all.scores, rules), kept.scores);
    return voted;
}

} // namespace trainyard
