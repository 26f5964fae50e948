#include "core/interop/StoredZipWriter.h"

#include <algorithm>

namespace trainyard {
using namespace zip;
namespace {

constexpr std::uint64_t kAlignment = 64;

/// The zip64 field with the sizes that do not fit 32 bits, for one entry of the directory.
std::string wideFields(const ZipRecord& record) {
    std::string fields;
    if (record.size >= kLimit32) {
        append<std::uint64_t>(fields, record.size);
        append<std::uint64_t>(fields, record.size);
    }
    if (record.headerOffset >= kLimit32)
        append<std::uint64_t>(fields, record.headerOffset);
    if (fields.empty())
        return fields;
    std::string extra;
    append<std::uint16_t>(extra, 1);
    append<std::uint16_t>(extra, std::uint16_t(fields.size()));
    return extra + fields;
}

/// What local header and directory entry share, from "version needed" to "length of extra".
std::string commonFields(const ZipRecord& record, std::size_t extraSize) {
    std::string bytes;
    append<std::uint16_t>(bytes, record.size >= kLimit32 || record.headerOffset >= kLimit32 ? 45 : 20);
    append<std::uint16_t>(bytes, 0x0800);     // names are UTF-8
    append<std::uint16_t>(bytes, 0);          // stored
    append<std::uint32_t>(bytes, 0x00210000); // 1 January 1980: the same state gives the same file
    append<std::uint32_t>(bytes, record.crc);
    append<std::uint32_t>(bytes, std::uint32_t(std::min(record.size, kLimit32)));
    append<std::uint32_t>(bytes, std::uint32_t(std::min(record.size, kLimit32)));
    append<std::uint16_t>(bytes, std::uint16_t(record.name.size()));
    append<std::uint16_t>(bytes, std::uint16_t(extraSize));
    return bytes;
}

std::string localHeader(const ZipRecord& record) {
    std::string extra;
    if (record.size >= kLimit32) {
        append<std::uint16_t>(extra, 1);
        append<std::uint16_t>(extra, 16);
        append<std::uint64_t>(extra, record.size);
        append<std::uint64_t>(extra, record.size);
    }
    const std::uint64_t start = record.headerOffset + 30 + record.name.size() + extra.size() + 4;
    const std::uint64_t padding = (kAlignment - start % kAlignment) % kAlignment;
    extra += "FB"; // the padding field that torch.save writes
    append<std::uint16_t>(extra, std::uint16_t(padding));
    extra.append(padding, 'Z');
    std::string bytes;
    append<std::uint32_t>(bytes, kLocalHeader);
    return bytes + commonFields(record, extra.size()) + record.name + extra;
}

std::string directoryEntry(const ZipRecord& record) {
    const std::string extra = wideFields(record);
    std::string bytes;
    append<std::uint32_t>(bytes, kDirectoryEntry);
    append<std::uint16_t>(bytes, 45);
    bytes += commonFields(record, extra.size());
    append<std::uint16_t>(bytes, 0); // comment
    append<std::uint16_t>(bytes, 0); // disk
    append<std::uint16_t>(bytes, 0);
    append<std::uint32_t>(bytes, 0);
    append<std::uint32_t>(bytes, std::uint32_t(std::min(record.headerOffset, kLimit32)));
    return bytes + record.name + extra;
}

std::string endOfDirectory(std::uint64_t offset, std::uint64_t size, std::uint64_t count) {
    std::string bytes;
    if (offset >= kLimit32 || count >= 0xffff) {
        append<std::uint32_t>(bytes, kEnd64);
        append<std::uint64_t>(bytes, 44);
        append<std::uint32_t>(bytes, 45 | 45 << 16);
        append<std::uint64_t>(bytes, 0); // disks
        append<std::uint64_t>(bytes, count);
        append<std::uint64_t>(bytes, count);
        append<std::uint64_t>(bytes, size);
        append<std::uint64_t>(bytes, offset);
        append<std::uint32_t>(bytes, kEnd64Locator);
        append<std::uint32_t>(bytes, 0);
        append<std::uint64_t>(bytes, offset + size);
        append<std::uint32_t>(bytes, 1);
    }
    append<std::uint32_t>(bytes, kEnd);
    append<std::uint32_t>(bytes, 0); // disks
    append<std::uint16_t>(bytes, std::uint16_t(std::min<std::uint64_t>(count, 0xffff)));
    append<std::uint16_t>(bytes, std::uint16_t(std::min<std::uint64_t>(count, 0xffff)));
    append<std::uint32_t>(bytes, std::uint32_t(std::min(size, kLimit32)));
    append<std::uint32_t>(bytes, std::uint32_t(std::min(offset, kLimit32)));
    append<std::uint16_t>(bytes, 0);
    return bytes;
}

} // namespace

Result<void> StoredZipWriter::put(const std::string& bytes) {
    m_offset += bytes.size();
    return m_file.write(bytes);
}

Result<void> StoredZipWriter::add(const std::string& name, const void* bytes, std::uint64_t size) {
    m_records.push_back({name, crcOf(bytes, size), size, m_offset});
    if (auto written = put(localHeader(m_records.back())); !written)
        return written.error();
    m_offset += size;
    return m_file.write(bytes, size);
}

Result<void> StoredZipWriter::finish() {
    std::string directory;
    for (const ZipRecord& record : m_records)
        directory += directoryEntry(record);
    const std::uint64_t offset = m_offset;
    if (auto written = put(directory); !written)
        return written.error();
    return put(endOfDirectory(offset, directory.size(), m_records.size()));
}

} // namespace trainyard
