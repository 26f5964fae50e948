#pragma once

#include "core/base/AtomicFile.h"
#include "core/interop/ZipFormat.h"

#include <cstdint>
#include <string>
#include <vector>

namespace trainyard {

/// Writes a zip of uncompressed records, each starting at a multiple of 64 bytes (so that torch.load can map it), with
/// the 64-bit fields where sizes need them. Source: PKWARE APPNOTE 6.3.
class StoredZipWriter {
public:
    explicit StoredZipWriter(AtomicFile& file) : m_file(file) {}
    Result<void> add(const std::string& name, const void* bytes, std::uint64_t size);
    Result<void> finish(); ///< the directory; nothing may follow

private:
    Result<void> put(const std::string& bytes);
    AtomicFile& m_file;
    std::vector<ZipRecord> m_records;
    std::uint64_t m_offset = 0;
};

} // namespace trainyard
