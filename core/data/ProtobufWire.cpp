#include "core/data/ProtobufWire.h"

#include "core/base/Bytes.h"

#include <bit>

namespace trainyard::protobuf {

std::optional<std::uint64_t> Reader::varint() {
    std::uint64_t value = 0;
    for (int shift = 0; shift < 64 && !m_rest.empty(); shift += 7) {
        const auto byte = std::uint8_t(m_rest.front());
        m_rest.remove_prefix(1);
        value |= std::uint64_t(byte & 127) << shift;
        if (byte < 128)
            return value;
    }
    m_isGood = false;
    return {};
}

std::optional<std::uint64_t> Reader::fixed(std::size_t width) {
    if (m_rest.size() < width) {
        m_isGood = false;
        return {};
    }
    const ByteReader at(m_rest);
    const std::uint64_t value = width == 8 ? at.u64(0) : at.u32(0);
    m_rest.remove_prefix(width);
    return value;
}

std::optional<Field> Reader::next() {
    if (m_rest.empty() || !m_isGood)
        return {};
    const auto tag = varint();
    if (!tag)
        return {};
    Field field{std::uint32_t(*tag >> 3), Field::Type(*tag & 7), 0, {}};
    std::optional<std::uint64_t> value;
    switch (field.type) {
    case Field::Fixed64:
        value = fixed(8);
        break;
    case Field::Fixed32:
        value = fixed(4);
        break;
    case Field::Varint:
    case Field::Bytes:
        value = varint();
        break;
    }
    const bool isTooLong = field.type == Field::Bytes && value && *value > m_rest.size();
    if (!value || field.number == 0 || isTooLong) {
        m_isGood = false;
        return {};
    }
    field.value = *value;
    if (field.type == Field::Bytes) {
        field.bytes = m_rest.substr(0, std::size_t(*value));
        m_rest.remove_prefix(std::size_t(*value));
    }
    return field;
}

void appendVarint(std::string& message, std::uint64_t value) {
    for (; value >= 128; value >>= 7)
        message += char((value & 127) | 128);
    message += char(value);
}

void appendBytes(std::string& message, std::uint32_t number, std::string_view bytes) {
    appendVarint(message, std::uint64_t(number) << 3 | Field::Bytes);
    appendVarint(message, bytes.size());
    message += bytes;
}

namespace {

void appendLittleEndian(std::string& message, std::uint64_t bits, int width) {
    for (int byte = 0; byte < width; ++byte)
        message += char(bits >> (8 * byte) & 255);
}

} // namespace

void appendNumber(std::string& message, std::uint32_t number, std::uint64_t value) {
    appendVarint(message, std::uint64_t(number) << 3 | Field::Varint);
    appendVarint(message, value);
}

void appendDouble(std::string& message, std::uint32_t number, double value) {
    appendVarint(message, std::uint64_t(number) << 3 | Field::Fixed64);
    appendLittleEndian(message, std::bit_cast<std::uint64_t>(value), 8);
}

void appendFloat(std::string& message, std::uint32_t number, float value) {
    appendVarint(message, std::uint64_t(number) << 3 | Field::Fixed32);
    appendLittleEndian(message, std::bit_cast<std::uint32_t>(value), 4);
}

void appendPacked(std::string& message, std::uint32_t number, const std::vector<double>& values) {
    appendVarint(message, std::uint64_t(number) << 3 | Field::Bytes);
    appendVarint(message, values.size() * 8);
    for (const double value : values)
        appendLittleEndian(message, std::bit_cast<std::uint64_t>(value), 8);
}

} // namespace trainyard::protobuf
