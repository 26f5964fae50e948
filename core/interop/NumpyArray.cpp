#include "core/interop/NumpyArray.h"

#include "core/interop/PickleTensor.h"

#include <ATen/ATen.h>

#include <algorithm>
#include <cstring>

namespace trainyard::pickle {
namespace {

constexpr std::size_t kMaxDimensions = 32;
constexpr std::string_view kMalformed = "The file describes a NumPy array that is malformed.";

[[noreturn]] void fail() {
    throw Failure{std::string(kMalformed)};
}

const Item& part(const Container& parts, std::size_t index) {
    if (index >= parts.items.size())
        fail();
    return parts.items[index];
}

const Dtype& dtypeIn(const Item& item) {
    if (const auto* type = std::get_if<Dtype*>(&item))
        return **type;
    fail();
}

/// A flag is True, or Python 2's 1.
bool flagOf(const Item& item) {
    if (const auto* flag = std::get_if<bool>(&item))
        return *flag;
    return integerOf(item) != 0;
}

/// Of the tensor that holds the bytes as they stand; unsigned ones are widened afterwards.
at::ScalarType scalarTypeOf(const Dtype& type) {
    switch (type.kind) {
    case 'f':
        return type.bytes == 2 ? at::kHalf : type.bytes == 4 ? at::kFloat : at::kDouble;
    case 'b':
        return at::kBool;
    default:
        if (type.bytes == 1)
            return type.kind == 'u' ? at::kByte : at::kChar;
        return type.bytes == 2 ? at::kShort : type.bytes == 4 ? at::kInt : at::kLong;
    }
}

void swapBytes(const at::Tensor& values, int bytes) {
    auto* at = static_cast<char*>(values.data_ptr());
    for (std::int64_t i = 0; i < values.numel(); ++i, at += bytes)
        std::reverse(at, at + bytes);
}

/// What was unsigned and has been read as signed.
at::Tensor widened(const at::Tensor& values, int bytes) {
    if (bytes == 1)
        return values;
    if (bytes == 2)
        return values.to(at::kInt).bitwise_and(0xffff);
    if (bytes == 4)
        return values.to(at::kLong).bitwise_and(std::int64_t(0xffffffff));
    if (values.numel() > 0 && values.min().item<std::int64_t>() < 0)
        throw Failure{"The file holds an integer of more than 63 bits."};
    return values;
}

std::vector<std::int64_t> reversedAxes(std::int64_t count) {
    std::vector<std::int64_t> axes;
    while (count-- > 0)
        axes.push_back(count);
    return axes;
}

at::Tensor arrayOf(const Dtype& type, std::vector<std::int64_t> shape, bool isFortran, std::string_view bytes) {
    std::int64_t size = type.bytes;
    for (const std::int64_t extent : shape)
        if (extent < 0 || __builtin_mul_overflow(size, extent, &size))
            fail();
    if (shape.size() > kMaxDimensions || std::uint64_t(size) != bytes.size())
        throw Failure{"The file describes a NumPy array of another size than its values have."};
    if (isFortran)
        std::reverse(shape.begin(), shape.end());
    at::Tensor values = at::empty(shape, at::TensorOptions().dtype(scalarTypeOf(type)));
    if (size > 0)
        std::memcpy(values.data_ptr(), bytes.data(), bytes.size());
    if (type.isSwapped)
        swapBytes(values, type.bytes);
    makeBoolsSound(values);
    if (type.kind == 'u')
        values = widened(values, type.bytes);
    return isFortran ? values.permute(reversedAxes(values.dim())).contiguous() : values;
}

} // namespace

Dtype dtypeOf(const Container& arguments) {
    const std::string_view code = textOf(part(arguments, 0));
    for (const std::string_view known : {"f2", "f4", "f8", "i1", "i2", "i4", "i8", "u1", "u2", "u4", "u8", "b1"})
        if (code == known)
            return {code[0], code[1] - '0', false};
    throw Failure{"The file holds NumPy values of the type \"" + std::string(code.substr(0, 20)) +
                  "\", which is not read."};
}

void setByteOrder(Dtype& type, const Container& state) {
    const std::string_view order = textOf(part(state, 1));
    if (order != "<" && order != ">" && order != "|" && order != "=")
        fail();
    type.isSwapped = order == ">";
    for (std::size_t i = 2; i < std::min<std::size_t>(state.items.size(), 5); ++i)
        if (!std::holds_alternative<std::monostate>(state.items[i])) // parts, names and fields
            throw Failure{"The file holds NumPy records, which are not read."};
}

at::Tensor arrayOfState(const Container& state) {
    const std::size_t first = state.items.size() == 5 ? 1 : 0;
    return arrayOf(dtypeIn(part(state, first + 1)), integersOf(part(state, first)), flagOf(part(state, first + 2)),
                   textOf(part(state, first + 3)));
}

at::Tensor arrayOfBuffer(const Container& arguments) {
    const std::string_view order = textOf(part(arguments, 3));
    if (order != "C" && order != "F")
        fail();
    return arrayOf(dtypeIn(part(arguments, 1)), integersOf(part(arguments, 2)), order == "F",
                   textOf(part(arguments, 0)));
}

Item scalarOf(const Container& arguments) {
    const at::Tensor value = arrayOf(dtypeIn(part(arguments, 0)), {}, false, textOf(part(arguments, 1)));
    if (value.scalar_type() == at::kBool)
        return value.item<bool>();
    if (at::isFloatingType(value.scalar_type()))
        return value.item<double>();
    return value.item<std::int64_t>();
}

std::string encodedBytes(const Container& arguments) {
    const std::string_view text = textOf(part(arguments, 0)), encoding = textOf(part(arguments, 1));
    if (encoding != "latin1" && encoding != "latin-1")
        throw Failure{"The file holds bytes as text in the encoding \"" + std::string(encoding.substr(0, 20)) +
                      "\", which is not read."};
    std::string bytes;
    bytes.reserve(text.size());
    for (std::size_t i = 0; i < text.size(); ++i) {
        const auto byte = std::uint8_t(text[i]);
        if (byte < 0x80) {
            bytes += char(byte);
            continue;
        }
        const bool isTwo = (byte == 0xc2 || byte == 0xc3) && i + 1 < text.size() && (text[i + 1] & 0xc0) == 0x80;
        if (!isTwo)
            throw Failure{"The file holds bytes as text that has no such bytes."};
        bytes += char((byte << 6) | (text[++i] & 0x3f));
    }
    return bytes;
}

} // namespace trainyard::pickle
