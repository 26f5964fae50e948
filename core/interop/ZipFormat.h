#pragma once

#include <zlib.h>

#include <cstdint>
#include <string>

/// What the writer and the reader of a zip file share. Source: PKWARE APPNOTE 6.3.
namespace trainyard {

/// One uncompressed record of a zip file.
struct ZipRecord {
    std::string name;
    std::uint32_t crc = 0;
    std::uint64_t size = 0;
    std::uint64_t headerOffset = 0; ///< of its local header
};

namespace zip {

inline constexpr std::uint32_t kLocalHeader = 0x04034b50, kDirectoryEntry = 0x02014b50, kEnd = 0x06054b50;
inline constexpr std::uint32_t kEnd64 = 0x06064b50, kEnd64Locator = 0x07064b50;
inline constexpr std::uint64_t kLimit32 = 0xffffffff; ///< a field that says "see zip64"

template <class T>
void append(std::string& bytes, T number) { // little endian
    for (std::size_t i = 0; i < sizeof(T); ++i)
        bytes += char((std::uint64_t(number) >> (8 * i)) & 0xff);
}

template <class T>
T numberAt(const char* bytes) {
    std::uint64_t number = 0;
    for (std::size_t i = 0; i < sizeof(T); ++i)
        number |= std::uint64_t(std::uint8_t(bytes[i])) << (8 * i);
    return T(number);
}

inline std::uint32_t crcOf(const void* bytes, std::uint64_t size) {
    return std::uint32_t(::crc32_z(0, static_cast<const Bytef*>(bytes), size));
}

} // namespace zip
} // namespace trainyard
