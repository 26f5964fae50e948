#include "core/interop/PickleReader.h"

#include <ATen/ATen.h>

#include <algorithm>
#include <bit>
#include <cstring>
#include <optional>

namespace trainyard {
namespace {

constexpr std::size_t kMaxStack = 4'000'000, kMaxMemo = 4'000'000;
constexpr int kMaxDepth = 64;
constexpr std::size_t kMaxConverted = 256u << 20; ///< bytes of plain values a file may expand to
constexpr std::size_t kMaxDimensions = 32;

bool isDictClass(const std::string& name) {
    return name == "collections OrderedDict";
}
bool isParameter(const std::string& name) {
    return name == "torch._utils _rebuild_parameter" || name == "torch._utils _rebuild_parameter_with_state";
}
bool isTensor(const std::string& name) {
    return name == "torch._utils _rebuild_tensor_v2";
}
bool isWrapper(const std::string& name) { // a class whose one argument is as good as itself
    return name == "torch Size" || name == "__builtin__ set" || name == "builtins set" || name == "torch device";
}
std::optional<StorageType> storageClass(const std::string& name) {
    constexpr std::string_view kModule = "torch ";
    return name.starts_with(kModule) ? storageTypeNamed(std::string_view(name).substr(kModule.size())) : std::nullopt;
}
bool isDtype(const std::string& name) {
    return std::any_of(std::begin(kStorageTypes), std::end(kStorageTypes),
                       [&](const StorageType& t) { return name == "torch " + std::string(t.dtype); });
}

/// Whether every element that (offset, sizes, strides) reaches lies among the `count` of its storage.
bool spanFits(std::int64_t offset, const std::vector<std::int64_t>& sizes, const std::vector<std::int64_t>& strides,
              std::int64_t count) {
    if (offset < 0 || offset > count || sizes.size() != strides.size() || sizes.size() > kMaxDimensions)
        return false;
    std::int64_t last = offset, elements = 1;
    for (std::size_t d = 0; d < sizes.size(); ++d)
        if (sizes[d] < 0 || strides[d] < 0)
            return false;
    if (std::find(sizes.begin(), sizes.end(), 0) != sizes.end())
        return std::all_of(sizes.begin(), sizes.end(), [](std::int64_t s) { return s <= std::int64_t(1) << 40; });
    for (std::size_t d = 0; d < sizes.size(); ++d) {
        std::int64_t reach = 0;
        if (__builtin_mul_overflow(sizes[d] - 1, strides[d], &reach) || __builtin_add_overflow(last, reach, &last) ||
            __builtin_mul_overflow(elements, sizes[d], &elements))
            return false;
    }
    return last < count && elements <= count; // the second: no huge tensor from a stride of 0
}

} // namespace

PickleReader::PickleReader(std::string_view pickle, LoadStorage loadStorage)
    : m_pickle(pickle), m_loadStorage(std::move(loadStorage)) {}

Result<TorchValue> PickleReader::read() {
    try {
        while (step()) {
        }
        if (m_stack.size() != 1)
            throw Failure{"The pickle ends in the middle of a value."};
        return convert(m_stack.back(), 0);
    } catch (const Failure& failure) {
        return Error{ErrorKind::Damaged, failure.what, "", "Use another copy of the file."};
    }
}

bool PickleReader::step() {
    const char opcode = bytes(1)[0];
    switch (opcode) {
    case '.':
        return false;
    case '\x80':
        bytes(1);
        return true; // protocol
    case '\x95':
        bytes(8);
        return true; // frame
    case '(':
        push(Mark{});
        return true;
    case '0':
        pop();
        return true;
    case '1':
        popToMark();
        return true;
    case '2': {
        if (m_stack.empty())
            throw Failure{"The pickle takes a value where there is none."};
        push(Item(m_stack.back()));
        return true;
    }
    case 'c': {
        const std::string module(line());
        push(Global{std::make_shared<const std::string>(module + " " + std::string(line()))});
        return true;
    }
    case '\x93': {
        const std::string name = text(pop());
        push(Global{std::make_shared<const std::string>(text(pop()) + " " + name)});
        return true;
    }
    case 'R':
    case '\x81': // a new object of a class; only the harmless ones pass
        reduce();
        return true;
    case 'b':
        build();
        return true;
    case 'Q':
        loadPersistent();
        return true;
    default:
        break;
    }
    if (stepNumber(opcode) || stepText(opcode) || stepContainer(opcode) || stepMemo(opcode))
        return true;
    throw Failure{"The pickle holds something other than numbers, texts, containers and tensors (opcode " +
                  std::to_string(int(std::uint8_t(opcode))) + ")."};
}

bool PickleReader::stepNumber(char opcode) {
    switch (opcode) {
    case 'N':
        push(std::monostate{});
        return true;
    case '\x88':
        push(true);
        return true;
    case '\x89':
        push(false);
        return true;
    case 'J':
        push(std::int64_t(number<std::int32_t>()));
        return true;
    case 'K':
        push(std::int64_t(number<std::uint8_t>()));
        return true;
    case 'M':
        push(std::int64_t(number<std::uint16_t>()));
        return true;
    case '\x8a': {
        const std::string_view digits = bytes(number<std::uint8_t>());
        if (digits.size() > 8)
            throw Failure{"The pickle holds an integer of more than 64 bits."};
        std::uint64_t value = !digits.empty() && (digits.back() & '\x80') ? ~std::uint64_t(0) : 0;
        std::memcpy(&value, digits.data(), digits.size());
        push(std::int64_t(value));
        return true;
    }
    case 'G': {
        std::uint64_t bits = 0;
        for (const char byte : bytes(8))
            bits = bits << 8 | std::uint8_t(byte);
        push(std::bit_cast<double>(bits));
        return true;
    }
    default:
        return false;
    }
}

bool PickleReader::stepText(char opcode) {
    switch (opcode) {
    case 'X':
    case 'T':
    case 'B':
        pushText(bytes(number<std::uint32_t>()));
        return true;
    case '\x8c':
    case 'U':
    case 'C':
        pushText(bytes(number<std::uint8_t>()));
        return true;
    case '\x8d':
        pushText(bytes(number<std::uint64_t>()));
        return true;
    default:
        return false;
    }
}

bool PickleReader::stepContainer(char opcode) {
    const auto extend = [this](Container& target, std::vector<Item> items) {
        if (target.kind == Kind::Dict && items.size() % 2 != 0)
            throw Failure{"The pickle holds a key without a value."};
        target.items.insert(target.items.end(), std::make_move_iterator(items.begin()),
                            std::make_move_iterator(items.end()));
    };
    const auto popLast = [this](std::size_t count) {
        std::vector<Item> items(count);
        while (count > 0)
            items[--count] = pop();
        return items;
    };
    switch (opcode) {
    case ']':
    case '\x8f':
        pushContainer(Kind::List);
        return true;
    case ')':
        pushContainer(Kind::Tuple);
        return true;
    case '}':
        pushContainer(Kind::Dict);
        return true;
    case 't':
        pushContainer(Kind::Tuple, popToMark());
        return true;
    case 'l':
        pushContainer(Kind::List, popToMark());
        return true;
    case '\x85':
    case '\x86':
    case '\x87':
        pushContainer(Kind::Tuple, popLast(std::size_t(opcode - '\x84')));
        return true;
    case 'a': {
        auto items = popLast(1);
        extend(top(Kind::List), std::move(items));
        return true;
    }
    case 'e':
    case '\x90': {
        auto items = popToMark();
        extend(top(Kind::List), std::move(items));
        return true;
    }
    case 's': {
        auto items = popLast(2);
        extend(top(Kind::Dict), std::move(items));
        return true;
    }
    case 'u': {
        auto items = popToMark();
        extend(top(Kind::Dict), std::move(items));
        return true;
    }
    default:
        return false;
    }
}

bool PickleReader::stepMemo(char opcode) {
    const auto store = [this](std::uint32_t key) {
        if (m_stack.empty() || m_memo.size() >= kMaxMemo)
            throw Failure{"The pickle's memo is malformed."};
        m_memo.insert_or_assign(key, m_stack.back());
    };
    const auto recall = [this](std::uint32_t key) {
        const auto found = m_memo.find(key);
        if (found == m_memo.end())
            throw Failure{"The pickle refers to a value that it never stored."};
        push(Item(found->second));
    };
    switch (opcode) {
    case 'q':
        store(number<std::uint8_t>());
        return true;
    case 'r':
        store(number<std::uint32_t>());
        return true;
    case '\x94':
        store(std::uint32_t(m_memo.size()));
        return true;
    case 'h':
        recall(number<std::uint8_t>());
        return true;
    case 'j':
        recall(number<std::uint32_t>());
        return true;
    default:
        return false;
    }
}

void PickleReader::reduce() {
    const Item argumentItem = pop();
    const Item callee = pop();
    const auto* global = std::get_if<Global>(&callee);
    if (!global)
        throw Failure{"The pickle calls something that is no class."};
    const std::string& name = *global->name;
    const Container& arguments = container(argumentItem);
    if (isTensor(name)) {
        push(rebuildTensor(arguments));
    } else if (isParameter(name) && !arguments.items.empty() &&
               std::holds_alternative<at::Tensor>(arguments.items.front())) {
        push(Item(arguments.items.front()));
    } else if (isDictClass(name)) {
        std::vector<Item> items;
        if (!arguments.items.empty()) // OrderedDict([(key, value), …])
            for (const Item& pair : container(arguments.items.front()).items) {
                if (container(pair).items.size() != 2)
                    throw Failure{"The pickle holds a key without a value."};
                items.push_back(container(pair).items[0]);
                items.push_back(container(pair).items[1]);
            }
        pushContainer(Kind::Dict, std::move(items));
    } else if (isWrapper(name) && !arguments.items.empty()) {
        push(Item(arguments.items.front()));
    } else {
        throw Failure{"The file holds a Python object of the class \"" + name +
                      "\", which is not read because that would run code."};
    }
}

void PickleReader::build() {
    pop(); // attributes, such as the versions that a state_dict carries; nothing here needs them
    top(Kind::Dict);
}

void PickleReader::loadPersistent() {
    const Item reference = pop();
    const std::vector<Item>& parts = container(reference).items;
    if (parts.size() != 5 || text(parts[0]) != "storage" || !std::holds_alternative<Global>(parts[1]))
        throw Failure{"The pickle refers to something that is no tensor storage."};
    const std::string& className = *std::get<Global>(parts[1]).name;
    const auto type = storageClass(className);
    if (!type)
        throw Failure{"The file holds tensors of the unknown storage class \"" + className + "\"."};
    const std::string key = text(parts[2]);
    const std::int64_t count = integer(parts[4]);
    if (const auto known = m_storages.find(key); known != m_storages.end()) {
        if (known->second.scalar_type() != type->type || known->second.numel() != count)
            throw Failure{"The file describes one storage in two ways."};
        push(Storage{known->second});
        return;
    }
    auto loaded = m_loadStorage(key, type->type, count);
    if (!loaded)
        throw Failure{loaded.error().what};
    m_storages.emplace(key, *loaded);
    push(Storage{*loaded});
}

at::Tensor PickleReader::rebuildTensor(const Container& arguments) {
    const std::vector<Item>& parts = arguments.items;
    if (parts.size() < 4 || !std::holds_alternative<Storage>(parts[0]))
        throw Failure{"The pickle describes a tensor without its storage."};
    const at::Tensor& elements = std::get<Storage>(parts[0]).elements;
    const std::int64_t offset = integer(parts[1]);
    const auto sizes = integers(parts[2]), strides = integers(parts[3]);
    if (!spanFits(offset, sizes, strides, elements.numel()))
        throw Failure{"The file describes a tensor that reaches beyond its storage."};
    return elements.as_strided(sizes, strides, offset);
}

template <class T>
T PickleReader::number() {
    T value;
    std::memcpy(&value, bytes(sizeof value).data(), sizeof value);
    return value;
}

std::string_view PickleReader::bytes(std::uint64_t count) {
    if (count > m_pickle.size() - m_at)
        throw Failure{"The pickle ends too early."};
    const std::string_view found = m_pickle.substr(m_at, count);
    m_at += count;
    return found;
}

std::string_view PickleReader::line() {
    const std::size_t end = m_pickle.find('\n', m_at);
    if (end == std::string_view::npos || end - m_at > 1000)
        throw Failure{"The pickle ends too early."};
    const std::string_view found = m_pickle.substr(m_at, end - m_at);
    m_at = end + 1;
    return found;
}

void PickleReader::push(Item item) {
    if (m_stack.size() >= kMaxStack)
        throw Failure{"The pickle is nested too deeply."};
    m_stack.push_back(std::move(item));
}

PickleReader::Item PickleReader::pop() {
    if (m_stack.empty() || std::holds_alternative<Mark>(m_stack.back()))
        throw Failure{"The pickle takes a value where there is none."};
    Item item = std::move(m_stack.back());
    m_stack.pop_back();
    return item;
}

std::vector<PickleReader::Item> PickleReader::popToMark() {
    std::size_t mark = m_stack.size();
    while (mark > 0 && !std::holds_alternative<Mark>(m_stack[mark - 1]))
        --mark;
    if (mark == 0)
        throw Failure{"The pickle closes a group that it never opened."};
    std::vector<Item> items(std::make_move_iterator(m_stack.begin() + std::ptrdiff_t(mark)),
                            std::make_move_iterator(m_stack.end()));
    m_stack.resize(mark - 1);
    return items;
}

void PickleReader::pushContainer(Kind kind, std::vector<Item> items) {
    m_containers.push_back({kind, std::move(items)});
    push(&m_containers.back());
}

void PickleReader::pushText(std::string_view text) {
    push(std::make_shared<const std::string>(text));
}

PickleReader::Container& PickleReader::top(Kind kind) {
    if (m_stack.empty() || !std::holds_alternative<Container*>(m_stack.back()) ||
        std::get<Container*>(m_stack.back())->kind != kind)
        throw Failure{"The pickle adds to something that is no container."};
    return *std::get<Container*>(m_stack.back());
}

const PickleReader::Container& PickleReader::container(const Item& item) {
    if (const auto* found = std::get_if<Container*>(&item))
        return **found;
    throw Failure{"The pickle holds a single value where a group is needed."};
}

std::int64_t PickleReader::integer(const Item& item) {
    if (const auto* found = std::get_if<std::int64_t>(&item))
        return *found;
    throw Failure{"The pickle lacks a number where one is needed."};
}

const std::string& PickleReader::text(const Item& item) {
    if (const auto* found = std::get_if<Text>(&item))
        return **found;
    throw Failure{"The pickle lacks a text where one is needed."};
}

std::vector<std::int64_t> PickleReader::integers(const Item& item) {
    std::vector<std::int64_t> numbers;
    for (const Item& entry : container(item).items)
        numbers.push_back(integer(entry));
    return numbers;
}

void PickleReader::charge(std::size_t cost) {
    m_charged += cost;
    if (m_charged > kMaxConverted)
        throw Failure{"The file expands to more values than any checkpoint holds."};
}

TorchValue PickleReader::convert(const Item& item, int depth) {
    if (depth > kMaxDepth)
        throw Failure{"The pickle is nested too deeply."};
    charge(sizeof(TorchValue));
    if (const auto* flag = std::get_if<bool>(&item))
        return TorchValue(TorchValue::Content(*flag));
    if (const auto* integer = std::get_if<std::int64_t>(&item))
        return TorchValue(*integer);
    if (const auto* real = std::get_if<double>(&item))
        return TorchValue(*real);
    if (const auto* tensor = std::get_if<at::Tensor>(&item))
        return TorchValue(*tensor);
    if (const auto* text = std::get_if<Text>(&item)) {
        charge((*text)->size());
        return TorchValue(**text);
    }
    if (const auto* global = std::get_if<Global>(&item)) {
        if (isDtype(*global->name))
            return TorchValue("torch." + global->name->substr(sizeof "torch " - 1));
        throw Failure{"The file refers to the Python name \"" + *global->name + "\", which is not read."};
    }
    if (std::holds_alternative<std::monostate>(item))
        return {};
    const Container& source = container(item); // a storage on its own has no meaning here and fails
    if (source.kind == Kind::Dict)
        return convertDict(source, depth);
    TorchValue::List items;
    for (const Item& entry : source.items)
        items.push_back(convert(entry, depth + 1));
    return TorchValue(std::move(items));
}

TorchValue PickleReader::convertDict(const Container& dict, int depth) {
    TorchValue::Dict entries;
    std::unordered_map<std::string, std::size_t> places;
    for (std::size_t i = 0; i + 1 < dict.items.size(); i += 2) {
        const auto* number = std::get_if<std::int64_t>(&dict.items[i]);
        const std::string key = number ? std::to_string(*number) : text(dict.items[i]);
        charge(key.size());
        TorchValue value = convert(dict.items[i + 1], depth + 1);
        const auto [place, isNew] = places.emplace(key, entries.size());
        if (isNew)
            entries.emplace_back(key, std::move(value));
        else
            entries[place->second].second = std::move(value); // Python's rule: the last one counts
    }
    return TorchValue(std::move(entries));
}

} // namespace trainyard
