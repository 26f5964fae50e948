#pragma once

#include "core/interop/StorageTypes.h"

#include <optional>
#include <string>

/// The Python names that a pickle may mention, each as "module name". Whatever is not among them is refused: a name is
/// a thing that Python would call.
namespace trainyard::pickle {

enum class Meaning {
    None,      ///< not allowed
    Dict,      ///< collections.OrderedDict
    Tensor,    ///< what puts a tensor together from its storage
    Parameter, ///< what wraps a tensor
    Wrapper,   ///< a class whose one argument is as good as itself: torch.Size, set, torch.device
    Array,     ///< what makes an empty NumPy array
    Buffer,    ///< what makes one of its bytes
    Dtype,     ///< NumPy's element type
    Scalar,    ///< one of NumPy's numbers
    Encoding,  ///< what turns text into the bytes that it stands for
    Bytes,     ///< no bytes at all
};
Meaning meaningOf(const std::string& name);

/// The element type of a storage class, "torch FloatStorage".
std::optional<StorageType> storageClass(const std::string& name);
/// Whether it is an element type by itself, "torch float32".
bool isDtype(const std::string& name);

} // namespace trainyard::pickle
