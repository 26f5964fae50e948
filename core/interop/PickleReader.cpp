#include "core/interop/PickleReader.h"

#include "core/interop/PickleCalls.h"
#include "core/interop/PickleNames.h"
#include "core/interop/PickleValues.h"

#include <bit>
#include <charconv>
#include <cstring>

namespace trainyard {
using namespace pickle;

PickleReader::PickleReader(std::string_view pickle, LoadStorage loadStorage)
    : m_pickle(pickle), m_loadStorage(std::move(loadStorage)) {}

Result<TorchValue> PickleReader::read() {
    try {
        while (step()) {
        }
        if (m_stack.size() != 1)
            throw Failure{"The pickle ends in the middle of a value."};
        return plainValue(m_stack.top());
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
        m_stack.push(Mark{});
        return true;
    case '0':
        m_stack.pop();
        return true;
    case '1':
        m_stack.popToMark();
        return true;
    case '2':
        m_stack.duplicate();
        return true;
    case 'c': {
        const std::string module(line());
        m_stack.push(Global{std::make_shared<const std::string>(module + " " + std::string(line()))});
        return true;
    }
    case '\x93': {
        const std::string name(textOf(m_stack.pop()));
        m_stack.push(Global{std::make_shared<const std::string>(std::string(textOf(m_stack.pop())) + " " + name)});
        return true;
    }
    case 'R':
    case '\x81': // a new object of a class; only the harmless ones pass
        reduce();
        return true;
    case 'b': {
        const Item state = m_stack.pop();
        build(m_stack.top(), state);
        return true;
    }
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
        m_stack.push(std::monostate{});
        return true;
    case '\x88':
        m_stack.push(true);
        return true;
    case '\x89':
        m_stack.push(false);
        return true;
    case 'J':
        m_stack.push(std::int64_t(number<std::int32_t>()));
        return true;
    case 'K':
        m_stack.push(std::int64_t(number<std::uint8_t>()));
        return true;
    case 'M':
        m_stack.push(std::int64_t(number<std::uint16_t>()));
        return true;
    case '\x8a': {
        const std::string_view digits = bytes(number<std::uint8_t>());
        if (digits.size() > 8)
            throw Failure{"The pickle holds an integer of more than 64 bits."};
        std::uint64_t value = !digits.empty() && (digits.back() & '\x80') ? ~std::uint64_t(0) : 0;
        std::memcpy(&value, digits.data(), digits.size());
        m_stack.push(std::int64_t(value));
        return true;
    }
    case 'I': { // Python 2's, beyond 32 bits
        const std::string_view digits = line();
        std::int64_t value = 0;
        const auto [end, code] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
        if (code != std::errc() || end != digits.data() + digits.size())
            throw Failure{"The pickle lacks a number where one is needed."};
        m_stack.push(value);
        return true;
    }
    case 'G': {
        std::uint64_t bits = 0;
        for (const char byte : bytes(8))
            bits = bits << 8 | std::uint8_t(byte);
        m_stack.push(std::bit_cast<double>(bits));
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
        m_stack.push(bytes(number<std::uint32_t>()));
        return true;
    case '\x8c':
    case 'U':
    case 'C':
        m_stack.push(bytes(number<std::uint8_t>()));
        return true;
    case '\x8d':
    case '\x8e':
    case '\x96': // a bytearray
        m_stack.push(bytes(number<std::uint64_t>()));
        return true;
    default:
        return false;
    }
}

bool PickleReader::stepContainer(char opcode) {
    switch (opcode) {
    case ']':
    case '\x8f':
        m_stack.pushContainer(Kind::List);
        return true;
    case ')':
        m_stack.pushContainer(Kind::Tuple);
        return true;
    case '}':
        m_stack.pushContainer(Kind::Dict);
        return true;
    case 't':
        m_stack.pushContainer(Kind::Tuple, m_stack.popToMark());
        return true;
    case 'l':
        m_stack.pushContainer(Kind::List, m_stack.popToMark());
        return true;
    case '\x85':
    case '\x86':
    case '\x87':
        m_stack.pushContainer(Kind::Tuple, m_stack.pop(std::size_t(opcode - '\x84')));
        return true;
    case 'a':
        m_stack.extend(Kind::List, m_stack.pop(1));
        return true;
    case 'e':
    case '\x90':
        m_stack.extend(Kind::List, m_stack.popToMark());
        return true;
    case 's':
        m_stack.extend(Kind::Dict, m_stack.pop(2));
        return true;
    case 'u':
        m_stack.extend(Kind::Dict, m_stack.popToMark());
        return true;
    default:
        return false;
    }
}

bool PickleReader::stepMemo(char opcode) {
    switch (opcode) {
    case 'q':
        m_stack.store(number<std::uint8_t>());
        return true;
    case 'r':
        m_stack.store(number<std::uint32_t>());
        return true;
    case '\x94':
        m_stack.storeNext();
        return true;
    case 'h':
        m_stack.recall(number<std::uint8_t>());
        return true;
    case 'j':
        m_stack.recall(number<std::uint32_t>());
        return true;
    default:
        return false;
    }
}

void PickleReader::reduce() {
    const Item argumentItem = m_stack.pop();
    const Item callee = m_stack.pop();
    const auto* global = std::get_if<Global>(&callee);
    if (!global)
        throw Failure{"The pickle calls something that is no class."};
    pushCalled(m_stack, *global->name, containerOf(argumentItem));
}

void PickleReader::loadPersistent() {
    const Item reference = m_stack.pop();
    const std::vector<Item>& parts = containerOf(reference).items;
    const bool isWhole = parts.size() == 5 || // before PyTorch 1.6 a sixth part can make it a view of another storage
                         (parts.size() == 6 && std::holds_alternative<std::monostate>(parts[5]));
    if (!isWhole || textOf(parts[0]) != "storage" || !std::holds_alternative<Global>(parts[1]))
        throw Failure{"The pickle refers to something that is no tensor storage."};
    const std::string& className = *std::get<Global>(parts[1]).name;
    const auto type = storageClass(className);
    if (!type)
        throw Failure{"The file holds tensors of the unknown storage class \"" + className + "\"."};
    const std::string key(textOf(parts[2]));
    const std::int64_t count = integerOf(parts[4]);
    if (const auto known = m_storages.find(key); known != m_storages.end()) {
        if (known->second.scalar_type() != type->type || known->second.numel() != count)
            throw Failure{"The file describes one storage in two ways."};
        m_stack.push(Storage{known->second});
        return;
    }
    if (!m_loadStorage)
        throw Failure{"The pickle refers to tensors that are not in it."};
    auto loaded = m_loadStorage(key, type->type, count);
    if (!loaded)
        throw Failure{loaded.error().what};
    m_storages.emplace(key, *loaded);
    m_stack.push(Storage{*loaded});
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

} // namespace trainyard
