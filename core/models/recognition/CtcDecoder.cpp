#include "core/models/recognition/CtcDecoder.h"

#include <torch/nn/module.h>

#include <algorithm>
#include <tuple>

namespace trainyard {
namespace {

CtcReading readOne(const std::int64_t* classes, const float* probabilities, std::int64_t steps, std::int64_t stride) {
    CtcReading reading;
    double blanks = 0, characters = 0;
    std::int64_t before = 0;
    for (std::int64_t t = 0; t < steps; ++t) {
        const std::int64_t now = classes[t * stride];
        if (now == 0)
            blanks += probabilities[t * stride];
        if (now != 0 && now != before) {
            reading.positions.push_back(now);
            characters += probabilities[t * stride];
        }
        before = now;
    }
    reading.score = reading.positions.empty() ? blanks / double(std::max<std::int64_t>(1, steps))
                                              : characters / double(reading.positions.size());
    return reading;
}

} // namespace

std::vector<CtcReading> readBestPath(const at::Tensor& logits, const at::Tensor& steps) {
    const auto [value, index] = at::softmax(logits.detach().to(at::kCPU, at::kFloat), 2).max(2);
    const at::Tensor probability = value.contiguous(), best = index.contiguous(); // [T, N]
    const at::Tensor all = at::full({logits.size(1)}, logits.size(0), at::kLong);
    const at::Tensor lengths = steps.defined() ? steps.to(at::kCPU).contiguous() : all;
    std::vector<CtcReading> readings;
    for (std::int64_t n = 0; n < logits.size(1); ++n)
        readings.push_back(readOne(best.data_ptr<std::int64_t>() + n, probability.data_ptr<float>() + n,
                                   lengths.data_ptr<std::int64_t>()[n], logits.size(1)));
    return readings;
}

} // namespace trainyard
