#include "core/models/recognition/TeacherForcing.h"

#include "core/models/recognition/LabelMap.h"

#include <torch/nn/module.h>

#include <algorithm>

namespace trainyard {

TeacherForcing TeacherForcing::of(const at::Tensor& labels, const at::Tensor& lengths, std::int64_t maxSteps,
                                  bool isBackward, bool lags) {
    const std::int64_t samples = lengths.size(0), longest = lengths.max().item<std::int64_t>(); // once a batch
    const std::int64_t steps = std::min(longest + 1, lags ? maxSteps - 1 : maxSteps);
    const at::Tensor step = at::arange(steps, lengths.options()), length = lengths.unsqueeze(1),
                     first = (lengths.cumsum(0) - lengths).unsqueeze(1);
    const at::Tensor isCharacter = step < length;
    const at::Tensor place = first + (isBackward ? length - 1 - step : step.expand({samples, steps}));
    const at::Tensor one = at::zeros({1}, labels.options()); // so that there is something to pick from
    const at::Tensor picked = at::cat({labels, one}).take(place.masked_fill(~isCharacter, 0));
    at::Tensor targets = (picked + LabelMap::kFromPosition).masked_fill(~isCharacter, LabelMap::kEnd);
    at::Tensor counts = step <= length;
    const at::Tensor start = at::full({samples, 1}, LabelMap::kStart, targets.options());
    if (lags) {
        targets = at::cat({start, targets}, 1);
        counts = at::cat({at::ones({samples, 1}, counts.options()), counts}, 1);
    }
    return {at::cat({start, targets.slice(1, 0, targets.size(1) - 1)}, 1), targets, counts};
}

at::Tensor sequenceLoss(const at::Tensor& logits, const TeacherForcing& taught) {
    const at::Tensor scores = at::log_softmax(logits, 2);
    const at::Tensor right = scores.gather(2, taught.targets.unsqueeze(2)).squeeze(2);
    return -right.masked_fill(~taught.counts, 0).sum() / double(std::max<std::int64_t>(1, logits.size(0)));
}

} // namespace trainyard
