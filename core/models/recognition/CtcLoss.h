#pragma once

#include <ATen/core/Tensor.h>

namespace trainyard {

/// The mean over samples of CTC loss by target length (an empty target counts as one character long), so that equal
/// parts of a batch average to the whole: a scalar. A target that does not fit into T steps costs nothing.
/// `logits` is float [T, N, C] with the blank at 0, `labels` int64 [sum of lengths], `lengths` int64 [N]; `steps`,
/// int64 [N], how many of its T steps each sample has, all where it is undefined. Source: Graves et al. 2006,
/// "Connectionist Temporal Classification".
at::Tensor ctcLoss(const at::Tensor& logits, const at::Tensor& labels, const at::Tensor& lengths,
                   const at::Tensor& steps = {});

} // namespace trainyard
