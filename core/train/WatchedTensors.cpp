#include "core/train/WatchedTensors.h"

#include <c10/core/ScalarType.h>
#include <fmt/format.h>
#include <fmt/ranges.h>

namespace trainyard {

std::vector<at::Tensor> tensorsIn(c10::ArrayRef<const c10::IValue> values) {
    std::vector<at::Tensor> tensors;
    const auto add = [&](const at::Tensor& tensor) {
        if (tensor.defined())
            tensors.push_back(tensor);
    };
    for (const c10::IValue& value : values) {
        if (value.isTensor())
            add(value.toTensor());
        else if (value.isTensorList())
            for (const at::Tensor& tensor : value.toTensorVector())
                add(tensor);
        else if (value.isList())
            for (const c10::IValue& element : value.toListRef())
                if (element.isTensor())
                    add(element.toTensor());
    }
    return tensors;
}

std::string typeText(const at::Tensor& tensor) {
    switch (tensor.scalar_type()) {
    case at::kFloat:
        return "float32";
    case at::kDouble:
        return "float64";
    case at::kHalf:
        return "float16";
    case at::kBFloat16:
        return "bfloat16";
    case at::kLong:
        return "int64";
    case at::kInt:
        return "int32";
    case at::kByte:
        return "uint8";
    case at::kBool:
        return "bool";
    default:
        return c10::toString(tensor.scalar_type());
    }
}

std::string shapesText(const std::vector<at::Tensor>& tensors) {
    std::vector<std::string> shapes;
    for (const at::Tensor& tensor : tensors)
        shapes.push_back(fmt::format("[{}]", fmt::join(tensor.sizes().vec(), ", ")));
    return fmt::format("{}", fmt::join(shapes, ", "));
}

} // namespace trainyard
