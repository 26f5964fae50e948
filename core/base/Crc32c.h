#pragma once

#include <cstdint>
#include <string_view>

namespace trainyard {

/// CRC-32C (Castagnoli's polynomial), as iSCSI and TFRecord files use it. The processor's own instruction where it has
/// one. Source: RFC 3720, section 12.1.
std::uint32_t crc32c(std::string_view bytes);

/// The same without that instruction: what `crc32c` is compared with.
std::uint32_t crc32cByTable(std::string_view bytes);

} // namespace trainyard
