#pragma once

#include "core/base/Error.h"
#include "core/interop/StorageTypes.h"
#include "core/interop/TorchValue.h"

#include <deque>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <unordered_map>
#include <variant>
#include <vector>

namespace trainyard {

/// Reads the pickle of a torch.save file by a machine of its own that knows containers, numbers, texts and tensors and
/// calls nothing: an object of any other class is refused by name. Sizes, nesting, memo and every tensor's span are
/// checked before they are used. Failures are Damaged errors without a file name; the caller adds it. Once.
class PickleReader {
public:
    /// Gives the storage that record `key` holds: 1-D, `count` elements of `type`.
    using LoadStorage =
        std::function<Result<at::Tensor>(const std::string& key, at::ScalarType type, std::int64_t count)>;

    PickleReader(std::string_view pickle, LoadStorage loadStorage);
    Result<TorchValue> read();

private:
    struct Container;
    struct Mark {};
    struct Global {
        std::shared_ptr<const std::string> name; ///< "module name"
    };
    struct Storage {
        at::Tensor elements;
    };
    using Text = std::shared_ptr<const std::string>;
    using Item =
        std::variant<std::monostate, Mark, bool, std::int64_t, double, Text, Container*, Global, Storage, at::Tensor>;
    enum class Kind { List, Tuple, Dict };
    struct Container { ///< owned by m_containers, so that cycles neither leak nor recurse
        Kind kind = Kind::List;
        std::vector<Item> items; ///< of a dict: key, value, key, value
    };
    struct Failure {
        std::string what;
    };

    bool step(); ///< one opcode; false at STOP
    bool stepNumber(char opcode);
    bool stepText(char opcode);
    bool stepContainer(char opcode);
    bool stepMemo(char opcode);
    void reduce();
    void build();
    void loadPersistent();
    at::Tensor rebuildTensor(const Container& arguments);

    template <class T>
    T number();
    std::string_view bytes(std::uint64_t count);
    std::string_view line();
    void push(Item item);
    Item pop();
    std::vector<Item> popToMark();
    void pushContainer(Kind kind, std::vector<Item> items = {});
    void pushText(std::string_view text);
    Container& top(Kind kind);
    static const Container& container(const Item& item);
    static std::int64_t integer(const Item& item);
    static const std::string& text(const Item& item);
    static std::vector<std::int64_t> integers(const Item& item);

    TorchValue convert(const Item& item, int depth);
    TorchValue convertDict(const Container& dict, int depth);
    void charge(std::size_t cost);

    std::string_view m_pickle;
    std::size_t m_at = 0;
    LoadStorage m_loadStorage;
    std::vector<Item> m_stack;
    std::deque<Container> m_containers;
    std::unordered_map<std::uint32_t, Item> m_memo;
    std::unordered_map<std::string, at::Tensor> m_storages;
    std::size_t m_charged = 0;
};

} // namespace trainyard
