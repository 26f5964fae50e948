#pragma once

#include <ATen/core/Tensor.h>

#include <cstdint>
#include <vector>

namespace trainyard {

/// What CTC's best path says of one sample.
struct CtcReading {
    std::vector<std::int64_t> positions; ///< in the alphabet, from 1
    double score = 0; ///< mean probability of the characters read, of the blanks where nothing was read
};

/// The best class of each step, repeats merged, blanks (0) dropped: one reading a sample. `logits` is [T, N, C];
/// `steps`, int64 [N], how many of its T steps each sample has, all where it is undefined.
std::vector<CtcReading> readBestPath(const at::Tensor& logits, const at::Tensor& steps = {});

} // namespace trainyard
