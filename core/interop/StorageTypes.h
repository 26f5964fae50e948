#pragma once

#include <c10/core/ScalarType.h>

#include <optional>
#include <string_view>

namespace trainyard {

/// The names under which Python knows a tensor's element type: the class of its storage in a pickle, and its dtype.
struct StorageType {
    at::ScalarType type;
    std::string_view storageClass; ///< in the module "torch"
    std::string_view dtype;        ///< "float32"
};

inline constexpr StorageType kStorageTypes[] = {
    {at::kFloat, "FloatStorage", "float32"}, {at::kDouble, "DoubleStorage", "float64"},
    {at::kHalf, "HalfStorage", "float16"},   {at::kBFloat16, "BFloat16Storage", "bfloat16"},
    {at::kLong, "LongStorage", "int64"},     {at::kInt, "IntStorage", "int32"},
    {at::kShort, "ShortStorage", "int16"},   {at::kChar, "CharStorage", "int8"},
    {at::kByte, "ByteStorage", "uint8"},     {at::kBool, "BoolStorage", "bool"},
};

inline std::optional<StorageType> storageTypeOf(at::ScalarType type) {
    for (const StorageType& known : kStorageTypes)
        if (known.type == type)
            return known;
    return std::nullopt;
}

inline std::optional<StorageType> storageTypeNamed(std::string_view storageClass) {
    for (const StorageType& known : kStorageTypes)
        if (known.storageClass == storageClass)
            return known;
    return std::nullopt;
}

} // namespace trainyard
