#include "core/models/recognition/BeamSearch.h"

#include "core/models/recognition/LabelMap.h"

#include <torch/nn/module.h>

#include <limits>

namespace trainyard {
namespace {

constexpr double kImpossible = -std::numeric_limits<double>::infinity();

/// A hypothesis that has ended can only stay as it is.
at::Tensor onlyTheEnd(const at::Tensor& scores) {
    const at::Tensor only = at::full({scores.size(2)}, kImpossible, scores.options());
    only[LabelMap::kEnd].zero_();
    return only;
}

} // namespace

BeamSearch::Reading BeamSearch::read(BeamDecoder& decoder, std::int64_t samples, const at::Device& device) const {
    const auto whole = at::TensorOptions(device).dtype(at::kLong);
    at::Tensor labels = at::full({samples, width}, LabelMap::kStart, whole), history;
    at::Tensor hasEnded = at::zeros({samples, width}, whole.dtype(at::kBool)), totals;
    for (std::int64_t step = 0; step < maxSteps; ++step) {
        at::Tensor scores = decoder.extend(labels);
        if (step == 0) { // all hypotheses are still one
            totals = at::full({samples, width}, kImpossible, scores.options());
            totals.select(1, 0).zero_();
        }
        scores = at::where(hasEnded.unsqueeze(2), onlyTheEnd(scores), scores);
        const std::int64_t classes = scores.size(2);
        const auto [best, place] = (totals.unsqueeze(2) + scores).flatten(1).topk(width, 1);
        const at::Tensor parents = at::floor_divide(place, classes);
        totals = best;
        labels = at::remainder(place, classes);
        hasEnded = hasEnded.gather(1, parents).logical_or(labels == LabelMap::kEnd);
        decoder.follow(parents);
        const at::Tensor newest = labels.unsqueeze(2);
        history = history.defined() ? at::cat({history.gather(1, parents.unsqueeze(2).expand_as(history)), newest}, 2)
                                    : newest;
        if (device.is_cpu() && hasEnded.all().item<bool>())
            break;
    }
    return {history.select(1, 0), totals.select(1, 0)};
}

} // namespace trainyard
