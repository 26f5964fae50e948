#pragma once

#include <ATen/core/Tensor.h>

#include <cstdint>
#include <vector>

namespace trainyard {

/// Both directions of one LSTM layer over `steps`, float [T, N, I], from states of zero: [T, N, 2 H], first the states
/// that know the past, then those that know the future. `weights` are torch.nn.LSTM's, direction by direction: input
/// [4 H, I], hidden [4 H, H] and two biases [4 H], rows by gate in the order input, forget, cell, output.
///
/// `lengths`, where given, says how many steps each sample has: the states behind its last one are 0, and those that
/// know the future begin with that last one.
///
/// In float32 on the CPU the directions are computed at the same time, a thread each, forward and backward: the
/// matrices of one step are too small to share, and LibTorch does everything one after the other. Equal bits for any
/// number of threads. Elsewhere it is LibTorch's own. Source: Hochreiter and Schmidhuber 1997; gates as in PyTorch's
/// manual.
at::Tensor bidirectionalLstm(const at::Tensor& steps, const std::vector<at::Tensor>& weights,
                             const std::vector<std::int64_t>& lengths = {});

} // namespace trainyard
