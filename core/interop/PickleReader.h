#pragma once

#include "core/base/Error.h"
#include "core/interop/PickleStack.h"
#include "core/interop/TorchValue.h"

#include <functional>
#include <string>
#include <string_view>
#include <unordered_map>

namespace trainyard {

/// Reads a pickle by a machine of its own that knows containers, numbers, texts, tensors of torch.save and arrays of
/// NumPy, and calls nothing: an object of any other class is refused by name. Sizes, nesting, memo and every tensor's
/// span are checked before they are used. Failures are Damaged errors without a file name; the caller adds it. Once.
class PickleReader {
public:
    /// Gives the storage that record `key` holds: 1-D, `count` elements of `type`.
    using LoadStorage =
        std::function<Result<at::Tensor>(const std::string& key, at::ScalarType type, std::int64_t count)>;

    /// `pickle` must stay until `read` has returned. Without `loadStorage`, tensors of torch.save are refused.
    explicit PickleReader(std::string_view pickle, LoadStorage loadStorage = nullptr);
    Result<TorchValue> read();
    /// Bytes read so far; what follows the pickle in a file starts there.
    std::size_t position() const { return m_at; }

private:
    bool step(); ///< one opcode; false at STOP
    bool stepNumber(char opcode);
    bool stepText(char opcode);
    bool stepContainer(char opcode);
    bool stepMemo(char opcode);
    void reduce();
    void loadPersistent();

    template <class T>
    T number();
    std::string_view bytes(std::uint64_t count);
    std::string_view line();

    std::string_view m_pickle;
    std::size_t m_at = 0;
    LoadStorage m_loadStorage;
    pickle::Stack m_stack;
    std::unordered_map<std::string, at::Tensor> m_storages;
};

} // namespace trainyard
