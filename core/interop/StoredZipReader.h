#pragma once

#include "core/base/InputFile.h"
#include "core/interop/ZipFormat.h"

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace trainyard {

/// Reads a zip of uncompressed records. Everything the file says about itself is checked against its length before it
/// is believed, and records against their CRC. One thread.
class StoredZipReader {
public:
    static Result<StoredZipReader> open(const std::filesystem::path& path);
    static Result<StoredZipReader> open(InputFile file);

    /// Sorted by name.
    const std::vector<ZipRecord>& records() const { return m_records; }
    const ZipRecord* find(std::string_view name) const;
    /// Fills `bytes`, which must have room for `record.size`.
    Result<void> read(const ZipRecord& record, void* bytes) const;
    /// A record as text; refused when longer than `limit`.
    Result<std::string> readText(const ZipRecord& record, std::uint64_t limit) const;

private:
    explicit StoredZipReader(InputFile file) : m_file(std::move(file)) {}
    Error damage(const std::string& what) const;
    Result<void> readDirectory();
    Result<void> parseEntries(const std::string& directory, std::uint64_t count);

    InputFile m_file;
    std::vector<ZipRecord> m_records;
};

} // namespace trainyard
