#pragma once

#include <cstdint>
#include <string_view>

namespace trainyard {

/// Little-endian numbers at byte offsets of borrowed bytes. Reading past the end gives 0.
class ByteReader {
public:
    explicit ByteReader(std::string_view bytes) : m_bytes(bytes) {}

    std::size_t size() const { return m_bytes.size(); }
    std::uint16_t u16(std::uint64_t at) const { return std::uint16_t(number(at, 2)); }
    std::uint32_t u32(std::uint64_t at) const { return std::uint32_t(number(at, 4)); }
    std::uint64_t u64(std::uint64_t at) const { return number(at, 8); }

private:
    std::uint64_t number(std::uint64_t at, std::size_t width) const {
        if (at > m_bytes.size() || m_bytes.size() - at < width)
            return 0;
        std::uint64_t value = 0;
        for (std::size_t i = width; i-- > 0;)
            value = value << 8 | std::uint8_t(m_bytes[std::size_t(at) + i]);
        return value;
    }

    std::string_view m_bytes;
};

} // namespace trainyard
