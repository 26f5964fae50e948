#pragma once

#include <ATen/core/Tensor.h>

#include <string>
#include <utility>
#include <vector>

namespace trainyard {

/// Tensors by name, in the order of their file.
using WeightList = std::vector<std::pair<std::string, at::Tensor>>;

} // namespace trainyard
