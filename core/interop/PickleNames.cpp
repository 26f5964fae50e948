#include "core/interop/PickleNames.h"

#include <algorithm>

namespace trainyard::pickle {
namespace {

constexpr std::string_view kTorch = "torch ";

struct Allowed {
    std::string_view name;
    Meaning meaning;
};
constexpr Allowed kAllowed[] = {
    {"collections OrderedDict", Meaning::Dict},
    {"torch._utils _rebuild_tensor_v2", Meaning::Tensor},
    {"torch._utils _rebuild_tensor", Meaning::Tensor}, // PyTorch before 0.4
    {"torch._utils _rebuild_parameter", Meaning::Parameter},
    {"torch._utils _rebuild_parameter_with_state", Meaning::Parameter},
    {"torch Size", Meaning::Wrapper},
    {"torch device", Meaning::Wrapper},
    {"__builtin__ set", Meaning::Wrapper},
    {"builtins set", Meaning::Wrapper},
    {"numpy.core.multiarray _reconstruct", Meaning::Array},
    {"numpy._core.multiarray _reconstruct", Meaning::Array}, // NumPy 2
    {"numpy.core.numeric _frombuffer", Meaning::Buffer},     // protocol 5
    {"numpy._core.numeric _frombuffer", Meaning::Buffer},
    {"numpy dtype", Meaning::Dtype},
    {"numpy.core.multiarray scalar", Meaning::Scalar},
    {"numpy._core.multiarray scalar", Meaning::Scalar},
    {"_codecs encode", Meaning::Encoding}, // bytes of Python 3 in protocol 2
    {"__builtin__ bytes", Meaning::Bytes},
    {"builtins bytes", Meaning::Bytes},
};

} // namespace

Meaning meaningOf(const std::string& name) {
    const auto* found = std::find_if(std::begin(kAllowed), std::end(kAllowed),
                                     [&](const Allowed& allowed) { return allowed.name == name; });
    return found == std::end(kAllowed) ? Meaning::None : found->meaning;
}

std::optional<StorageType> storageClass(const std::string& name) {
    return name.starts_with(kTorch) ? storageTypeNamed(std::string_view(name).substr(kTorch.size())) : std::nullopt;
}

bool isDtype(const std::string& name) {
    return std::any_of(std::begin(kStorageTypes), std::end(kStorageTypes), [&](const StorageType& type) {
        return name.starts_with(kTorch) && std::string_view(name).substr(kTorch.size()) == type.dtype;
    });
}

} // namespace trainyard::pickle
