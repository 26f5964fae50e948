#pragma once

#include "core/base/AtomicFile.h"
#include "core/base/Error.h"

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace trainyard {

/// One uncompressed record of a zip file.
struct ZipRecord {
    std::string name;
    std::uint32_t crc = 0;
    std::uint64_t size = 0;
    std::uint64_t headerOffset = 0; ///< of its local header
};

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

/// Reads such a zip. Everything the file says about itself is checked against its length before it is believed, and
/// records against their CRC. One thread.
class StoredZipReader {
public:
    static Result<StoredZipReader> open(const std::filesystem::path& path);
    StoredZipReader(StoredZipReader&& other) noexcept;
    StoredZipReader& operator=(StoredZipReader&&) = delete;
    ~StoredZipReader();

    /// Sorted by name.
    const std::vector<ZipRecord>& records() const { return m_records; }
    const ZipRecord* find(std::string_view name) const;
    /// Fills `bytes`, which must have room for `record.size`.
    Result<void> read(const ZipRecord& record, void* bytes) const;
    /// A record as text; refused when longer than `limit`.
    Result<std::string> readText(const ZipRecord& record, std::uint64_t limit) const;

private:
    StoredZipReader() = default;
    Error damage(const std::string& what) const;
    bool readAt(std::uint64_t offset, void* bytes, std::uint64_t count) const;
    Result<void> readDirectory();
    Result<void> parseEntries(const std::string& directory, std::uint64_t count);

    std::filesystem::path m_path;
    int m_descriptor = -1;
    std::uint64_t m_length = 0;
    std::vector<ZipRecord> m_records;
};

} // namespace trainyard
