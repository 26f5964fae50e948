#include "core/models/recognition/CtcLoss.h"

#include <torch/nn/module.h>

namespace trainyard {

at::Tensor ctcLoss(const at::Tensor& logits, const at::Tensor& labels, const at::Tensor& lengths,
                   const at::Tensor& steps) {
    const at::Tensor scores = at::log_softmax(logits.to(at::kFloat), 2);
    const at::Tensor all = at::full({logits.size(1)}, logits.size(0), lengths.options());
    const at::Tensor losses =
        at::ctc_loss(scores, labels, steps.defined() ? steps : all, lengths, /*blank=*/0, at::Reduction::None,
                     /*zero_infinity=*/true);
    return (losses / lengths.clamp_min(1)).mean();
}

} // namespace trainyard
