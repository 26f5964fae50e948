#pragma once

#include <ATen/core/Tensor.h>

namespace trainyard {

/// A decoder as the search sees it: N samples with B hypotheses each, all of them extended at once.
class BeamDecoder {
public:
    virtual ~BeamDecoder() = default;
    /// Takes up the last label of every hypothesis, int64 [N, B]: log-probabilities of the next one, float [N, B, C].
    virtual at::Tensor extend(const at::Tensor& labels) = 0;
    /// From now on hypothesis b of sample n is what hypothesis `parents[n][b]`, int64 [N, B], was.
    virtual void follow(const at::Tensor& parents) = 0;
};

struct BeamSearch {
    std::int64_t width = 5, maxSteps = 30;

    /// The likeliest word found: `labels` int64 [N, up to maxSteps] with ends behind its end, `scores` [N], the
    /// logarithm of its probability. No length is preferred. All of it stays on the decoder's device, without a look
    /// at values from the host; on the CPU, where that costs nothing, it stops as soon as every hypothesis has ended.
    struct Reading {
        at::Tensor labels, scores;
    };
    Reading read(BeamDecoder& decoder, std::int64_t samples, const at::Device& device) const;
};

} // namespace trainyard
