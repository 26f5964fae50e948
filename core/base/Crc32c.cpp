#include "core/base/Crc32c.h"

#include <array>
#include <cstring>

#if defined(__x86_64__)
#include <nmmintrin.h>
#endif

namespace trainyard {
namespace {

constexpr std::uint32_t kPolynomial = 0x82F63B78; // 0x1EDC6F41, its bits reversed

/// Row k: what a byte does to the sum when k more bytes follow it.
constexpr auto makeTables() {
    std::array<std::array<std::uint32_t, 256>, 8> tables{};
    for (std::uint32_t i = 0; i < 256; ++i) {
        std::uint32_t sum = i;
        for (int bit = 0; bit < 8; ++bit)
            sum = sum >> 1 ^ (sum & 1 ? kPolynomial : 0);
        tables[0][i] = sum;
    }
    for (std::size_t k = 1; k < 8; ++k)
        for (std::size_t i = 0; i < 256; ++i)
            tables[k][i] = tables[k - 1][i] >> 8 ^ tables[0][tables[k - 1][i] & 255];
    return tables;
}
constexpr auto kTables = makeTables();

#if defined(__x86_64__)
__attribute__((target("sse4.2"))) std::uint32_t byInstruction(std::string_view bytes) {
    std::uint64_t sum = 0xFFFFFFFF;
    while (bytes.size() >= 8) {
        std::uint64_t eight;
        std::memcpy(&eight, bytes.data(), 8);
        sum = _mm_crc32_u64(sum, eight);
        bytes.remove_prefix(8);
    }
    auto rest = std::uint32_t(sum);
    for (const char byte : bytes)
        rest = _mm_crc32_u8(rest, std::uint8_t(byte));
    return ~rest;
}
#endif

} // namespace

std::uint32_t crc32cByTable(std::string_view bytes) {
    std::uint32_t sum = 0xFFFFFFFF;
    for (; bytes.size() >= 8; bytes.remove_prefix(8)) {
        std::uint32_t next = 0;
        for (std::size_t i = 0; i < 8; ++i) {
            const auto byte = std::uint8_t(std::uint8_t(bytes[i]) ^ (i < 4 ? sum >> (8 * i) : 0));
            next ^= kTables[7 - i][byte];
        }
        sum = next;
    }
    for (const char byte : bytes)
        sum = sum >> 8 ^ kTables[0][(sum ^ std::uint8_t(byte)) & 255];
    return ~sum;
}

std::uint32_t crc32c(std::string_view bytes) {
#if defined(__x86_64__)
    static const bool hasInstruction = __builtin_cpu_supports("sse4.2");
    if (hasInstruction)
        return byInstruction(bytes);
#endif
    return crc32cByTable(bytes);
}

} // namespace trainyard
