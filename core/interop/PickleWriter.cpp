#include "core/interop/PickleWriter.h"

#include "core/interop/StorageTypes.h"

#include <algorithm>
#include <bit>
#include <limits>
#include <stdexcept>

namespace trainyard {

static_assert(std::endian::native == std::endian::little, "pickles and storages are written little-endian");

std::string PickleWriter::write(const TorchValue& value) {
    m_pickle = "\x80\x02";
    put(value);
    m_pickle += '.';
    return std::move(m_pickle);
}

void PickleWriter::put(const TorchValue& value) {
    struct Visitor {
        PickleWriter& writer;
        void operator()(std::monostate) { writer.m_pickle += 'N'; }
        void operator()(bool flag) { writer.m_pickle += flag ? '\x88' : '\x89'; }
        void operator()(std::int64_t number) { writer.putInteger(number); }
        void operator()(double number) { writer.putReal(number); }
        void operator()(const std::string& text) { writer.putText(text); }
        void operator()(const at::Tensor& tensor) { writer.putTensor(tensor); }
        void operator()(const TorchValue::List& items) { writer.putList(items); }
        void operator()(const TorchValue::Dict& entries) { writer.putDict(entries); }
    };
    std::visit(Visitor{*this}, value.content());
}

void PickleWriter::putDict(const TorchValue::Dict& entries) {
    const bool isStateDict = !entries.empty() && std::all_of(entries.begin(), entries.end(),
                                                             [](const auto& e) { return e.second.tensor(); });
    if (isStateDict) { // what module.state_dict() returns
        putGlobal("collections", "OrderedDict");
        m_pickle += ")R";
    } else {
        m_pickle += '}';
    }
    m_pickle += '(';
    for (const auto& [key, value] : entries) {
        putText(key);
        put(value);
    }
    m_pickle += 'u';
}

void PickleWriter::putList(const TorchValue::List& items) {
    m_pickle += "](";
    for (const TorchValue& item : items)
        put(item);
    m_pickle += 'e';
}

void PickleWriter::putTensor(const at::Tensor& tensor) {
    const auto type = storageTypeOf(tensor.scalar_type());
    if (!type)
        throw std::invalid_argument(std::string("tensors of type ") + c10::toString(tensor.scalar_type()) +
                                    " cannot be stored in a checkpoint");
    const at::Tensor values = tensor.detach().to(at::kCPU).contiguous();
    putGlobal("torch._utils", "_rebuild_tensor_v2");
    m_pickle += "((";
    putText("storage");
    putGlobal("torch", type->storageClass);
    putText(std::to_string(m_storages.size()));
    putText("cpu");
    putInteger(values.numel());
    m_pickle += "tQ"; // a persistent reference to the record
    putInteger(0);    // offset
    putTuple(values.sizes());
    putTuple(values.strides());
    m_pickle += '\x89'; // requires_grad
    putGlobal("collections", "OrderedDict");
    m_pickle += ")RtR"; // no hooks; call
    m_storages.push_back(values);
}

void PickleWriter::putGlobal(std::string_view module, std::string_view name) {
    m_pickle.append("c").append(module).append("\n").append(name).append("\n");
}

void PickleWriter::putInteger(std::int64_t number) {
    if (number >= 0 && number < 256) {
        m_pickle += 'K';
        m_pickle += char(number);
    } else if (number >= std::numeric_limits<std::int32_t>::min() &&
               number <= std::numeric_limits<std::int32_t>::max()) {
        const auto narrow = std::int32_t(number);
        m_pickle += 'J';
        putBytes(&narrow, sizeof narrow);
    } else {
        m_pickle += "\x8a\x08";
        putBytes(&number, sizeof number);
    }
}

void PickleWriter::putReal(double number) {
    std::uint64_t bits = std::bit_cast<std::uint64_t>(number);
    m_pickle += 'G';
    for (int shift = 56; shift >= 0; shift -= 8) // big-endian, alone among all opcodes
        m_pickle += char((bits >> shift) & 0xff);
}

void PickleWriter::putText(std::string_view text) {
    const auto size = std::uint32_t(text.size());
    m_pickle += 'X';
    putBytes(&size, sizeof size);
    m_pickle.append(text);
}

void PickleWriter::putTuple(at::IntArrayRef numbers) {
    m_pickle += '(';
    for (const std::int64_t number : numbers)
        putInteger(number);
    m_pickle += 't';
}

void PickleWriter::putBytes(const void* bytes, std::size_t count) {
    m_pickle.append(static_cast<const char*>(bytes), count);
}

} // namespace trainyard
