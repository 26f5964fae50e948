#pragma once

#include "core/interop/PickleItem.h"

#include <deque>
#include <string>
#include <unordered_map>
#include <vector>

namespace trainyard::pickle {

/// The stack, the memo and the containers of a pickle's machine. Each deed throws a Failure where a pickle asks for
/// what is not there, or for more than any checkpoint needs.
class Stack {
public:
    std::size_t size() const { return m_items.size(); }

    void push(Item item);
    void pushContainer(Kind kind, std::vector<Item> items = {});
    void pushBytes(std::string bytes); ///< text that is not in the pickle as it stands
    Array& pushArray();
    void pushDtype(const Dtype& type);
    void duplicate();

    Item pop();
    std::vector<Item> pop(std::size_t count); ///< in the order in which they were pushed
    std::vector<Item> popToMark();            ///< the items after the last mark, which goes too

    const Item& top() const;
    Container& top(Kind kind);
    /// Adds to the list or dict on top.
    void extend(Kind kind, std::vector<Item> items);

    void store(std::uint32_t key);
    void storeNext() { store(std::uint32_t(m_memo.size())); }
    void recall(std::uint32_t key);

private:
    std::vector<Item> m_items;
    std::deque<Container> m_containers; // deques: their addresses stay
    std::deque<Array> m_arrays;
    std::deque<Dtype> m_dtypes;
    std::deque<std::string> m_bytes;
    std::unordered_map<std::uint32_t, Item> m_memo;
};

} // namespace trainyard::pickle
