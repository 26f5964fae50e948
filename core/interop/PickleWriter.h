#pragma once

#include "core/interop/TorchValue.h"

#include <string>
#include <string_view>
#include <vector>

namespace trainyard {

/// Builds the pickle (protocol 2) of a torch.save file. Tensors become references to the storages that `storages`
/// collects, contiguous and on the CPU; number i is the record "data/i". Throws std::invalid_argument for an element
/// type that Python's torch.load has no storage for.
class PickleWriter {
public:
    /// The whole pickle of `value`. Once.
    std::string write(const TorchValue& value);
    const std::vector<at::Tensor>& storages() const { return m_storages; }

private:
    void put(const TorchValue& value);
    void putDict(const TorchValue::Dict& entries);
    void putList(const TorchValue::List& items);
    void putTensor(const at::Tensor& tensor);
    void putGlobal(std::string_view module, std::string_view name);
    void putInteger(std::int64_t number);
    void putReal(double number);
    void putText(std::string_view text);
    void putTuple(at::IntArrayRef numbers);
    void putBytes(const void* bytes, std::size_t count);

    std::string m_pickle;
    std::vector<at::Tensor> m_storages;
};

} // namespace trainyard
