#include "core/interop/PickleStack.h"

#include <iterator>

namespace trainyard::pickle {
namespace {

constexpr std::size_t kMaxStack = 4'000'000, kMaxMemo = 4'000'000;

} // namespace

void Stack::push(Item item) {
    if (m_items.size() >= kMaxStack)
        throw Failure{"The pickle is nested too deeply."};
    m_items.push_back(std::move(item));
}

void Stack::pushContainer(Kind kind, std::vector<Item> items) {
    m_containers.push_back({kind, std::move(items)});
    push(&m_containers.back());
}

void Stack::pushBytes(std::string bytes) {
    m_bytes.push_back(std::move(bytes));
    push(Text(m_bytes.back()));
}

Array& Stack::pushArray() {
    m_arrays.emplace_back();
    push(&m_arrays.back());
    return m_arrays.back();
}

void Stack::pushDtype(const Dtype& type) {
    m_dtypes.push_back(type);
    push(&m_dtypes.back());
}

void Stack::duplicate() {
    push(Item(top()));
}

Item Stack::pop() {
    if (m_items.empty() || std::holds_alternative<Mark>(m_items.back()))
        throw Failure{"The pickle takes a value where there is none."};
    Item item = std::move(m_items.back());
    m_items.pop_back();
    return item;
}

std::vector<Item> Stack::pop(std::size_t count) {
    std::vector<Item> items(count);
    while (count > 0)
        items[--count] = pop();
    return items;
}

std::vector<Item> Stack::popToMark() {
    std::size_t mark = m_items.size();
    while (mark > 0 && !std::holds_alternative<Mark>(m_items[mark - 1]))
        --mark;
    if (mark == 0)
        throw Failure{"The pickle closes a group that it never opened."};
    std::vector<Item> items(std::make_move_iterator(m_items.begin() + std::ptrdiff_t(mark)),
                            std::make_move_iterator(m_items.end()));
    m_items.resize(mark - 1);
    return items;
}

const Item& Stack::top() const {
    if (m_items.empty())
        throw Failure{"The pickle takes a value where there is none."};
    return m_items.back();
}

Container& Stack::top(Kind kind) {
    if (m_items.empty() || !std::holds_alternative<Container*>(m_items.back()) ||
        std::get<Container*>(m_items.back())->kind != kind)
        throw Failure{"The pickle adds to something that is no container."};
    return *std::get<Container*>(m_items.back());
}

void Stack::extend(Kind kind, std::vector<Item> items) {
    Container& target = top(kind);
    if (kind == Kind::Dict && items.size() % 2 != 0)
        throw Failure{"The pickle holds a key without a value."};
    target.items.insert(target.items.end(), std::make_move_iterator(items.begin()),
                        std::make_move_iterator(items.end()));
}

void Stack::store(std::uint32_t key) {
    if (m_items.empty() || m_memo.size() >= kMaxMemo)
        throw Failure{"The pickle's memo is malformed."};
    m_memo.insert_or_assign(key, m_items.back());
}

void Stack::recall(std::uint32_t key) {
    const auto found = m_memo.find(key);
    if (found == m_memo.end())
        throw Failure{"The pickle refers to a value that it never stored."};
    push(Item(found->second));
}

} // namespace trainyard::pickle
