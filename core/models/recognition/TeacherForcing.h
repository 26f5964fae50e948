#pragma once

#include <ATen/core/Tensor.h>

namespace trainyard {

/// What a decoder is told and asked while it learns: int64 [N, T] each. Step t is told `inputs[t]`, the start and then
/// the right characters, and asked for `targets[t]`, the right characters and then the end. Words with fewer than T
/// steps are filled with ends, for which `counts`, bool [N, T], is false.
struct TeacherForcing {
    at::Tensor inputs, targets, counts;

    /// Of the words of a batch (see Batch.h): `labels` int64 [sum of lengths] of alphabet positions, `lengths` int64
    /// [N]. T is the longest word's length and one more, `maxSteps` at most: a longer word loses its end. A decoder
    /// that lags is asked for a start first, so that it has looked once before the first character: T is one more.
    static TeacherForcing of(const at::Tensor& labels, const at::Tensor& lengths, std::int64_t maxSteps,
                             bool isBackward, bool lags = false);
};

/// The mean over samples of the sum over their steps of cross entropy: a scalar. `logits` is float [N, T, C].
at::Tensor sequenceLoss(const at::Tensor& logits, const TeacherForcing& taught);

} // namespace trainyard
