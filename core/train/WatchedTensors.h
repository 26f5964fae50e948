#pragma once

#include <ATen/core/Tensor.h>
#include <ATen/core/ivalue.h>

#include <string>
#include <vector>

namespace trainyard {

/// The tensors among an operator's values, those in lists too; undefined ones are left out.
std::vector<at::Tensor> tensorsIn(c10::ArrayRef<const c10::IValue> values);
inline std::vector<at::Tensor> tensorsIn(const std::vector<c10::IValue>& values) {
    return tensorsIn(c10::ArrayRef<const c10::IValue>(values.data(), values.size()));
}

std::string typeText(const at::Tensor& tensor);                 ///< "float32"
std::string shapesText(const std::vector<at::Tensor>& tensors); ///< "[8, 3, 32, 100], [64, 3, 3, 3]"

} // namespace trainyard
