#include "core/interop/StoredZip.h"

#include <zlib.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

namespace trainyard {
namespace {

constexpr std::uint32_t kLocalHeader = 0x04034b50, kDirectoryEntry = 0x02014b50, kEnd = 0x06054b50;
constexpr std::uint32_t kEnd64 = 0x06064b50, kEnd64Locator = 0x07064b50;
constexpr std::uint64_t kLimit32 = 0xffffffff, kAlignment = 64;
constexpr std::uint64_t kMaxDirectory = 256u << 20; // a million records; more is no checkpoint

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

std::uint32_t crcOf(const void* bytes, std::uint64_t size) {
    return std::uint32_t(::crc32_z(0, static_cast<const Bytef*>(bytes), size));
}

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

/// Replaces the 32-bit fields that say "see zip64". False when the field that should hold them is missing.
bool widen(ZipRecord& record, std::uint64_t& packedSize, const char* extra, std::size_t size) {
    std::uint64_t* wanted[] = {record.size == kLimit32 ? &record.size : nullptr,
                               packedSize == kLimit32 ? &packedSize : nullptr,
                               record.headerOffset == kLimit32 ? &record.headerOffset : nullptr};
    if (!wanted[0] && !wanted[1] && !wanted[2])
        return true;
    for (std::size_t at = 0; at + 4 <= size;) {
        const auto id = numberAt<std::uint16_t>(extra + at);
        const std::size_t length = numberAt<std::uint16_t>(extra + at + 2);
        at += 4;
        if (at + length > size)
            return false;
        if (id == 1) {
            std::size_t next = at;
            for (std::uint64_t* field : wanted) {
                if (!field)
                    continue;
                if (next + 8 > at + length)
                    return false;
                *field = numberAt<std::uint64_t>(extra + next);
                next += 8;
            }
            return true;
        }
        at += length;
    }
    return false;
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

StoredZipReader::StoredZipReader(StoredZipReader&& other) noexcept
    : m_path(std::move(other.m_path)), m_descriptor(std::exchange(other.m_descriptor, -1)), m_length(other.m_length),
      m_records(std::move(other.m_records)) {}

StoredZipReader::~StoredZipReader() {
    if (m_descriptor >= 0)
        ::close(m_descriptor);
}

Error StoredZipReader::damage(const std::string& what) const {
    return {ErrorKind::Damaged, what, m_path.string(), "Use another copy, or the checkpoint before it."};
}

Result<StoredZipReader> StoredZipReader::open(const std::filesystem::path& path) {
    StoredZipReader reader;
    reader.m_path = path;
    reader.m_descriptor = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
    if (reader.m_descriptor < 0)
        return Error{ErrorKind::Damaged,
                     errno == ENOENT ? std::string("The file does not exist.")
                                     : std::string("The file cannot be opened: ") + std::strerror(errno) + ".",
                     path.string(), "Check the path."};
    struct stat status {};
    if (::fstat(reader.m_descriptor, &status) != 0 || !S_ISREG(status.st_mode))
        return reader.damage("This is not a file.");
    reader.m_length = std::uint64_t(status.st_size);
    if (auto read = reader.readDirectory(); !read)
        return read.error();
    return reader;
}

bool StoredZipReader::readAt(std::uint64_t offset, void* bytes, std::uint64_t count) const {
    if (offset > m_length || count > m_length - offset)
        return false;
    auto* next = static_cast<char*>(bytes);
    while (count > 0) {
        const ssize_t got = ::pread(m_descriptor, next, count, off_t(offset));
        if (got < 0 && errno == EINTR)
            continue;
        if (got <= 0)
            return false;
        next += got;
        offset += std::uint64_t(got);
        count -= std::uint64_t(got);
    }
    return true;
}

Result<void> StoredZipReader::readDirectory() {
    const std::uint64_t tailSize = std::min<std::uint64_t>(m_length, 22 + 65535); // the end record and its comment
    std::string tail(tailSize, '\0');
    if (!readAt(m_length - tailSize, tail.data(), tailSize))
        return damage("The file cannot be read.");
    std::size_t end = std::string::npos;
    for (std::size_t at = tail.size() >= 22 ? tail.size() - 22 : std::string::npos; at != std::string::npos; --at) {
        if (numberAt<std::uint32_t>(tail.data() + at) == kEnd) {
            end = at;
            break;
        }
        if (at == 0)
            break;
    }
    if (end == std::string::npos)
        return damage("This is not a complete PyTorch file: its index is missing.");
    std::uint64_t count = numberAt<std::uint16_t>(tail.data() + end + 10);
    std::uint64_t size = numberAt<std::uint32_t>(tail.data() + end + 12);
    std::uint64_t offset = numberAt<std::uint32_t>(tail.data() + end + 16);
    if (end >= 20 && numberAt<std::uint32_t>(tail.data() + end - 20) == kEnd64Locator) {
        char wide[56];
        if (!readAt(numberAt<std::uint64_t>(tail.data() + end - 12), wide, sizeof wide) ||
            numberAt<std::uint32_t>(wide) != kEnd64)
            return damage("The file's index is damaged.");
        count = numberAt<std::uint64_t>(wide + 32);
        size = numberAt<std::uint64_t>(wide + 40);
        offset = numberAt<std::uint64_t>(wide + 48);
    }
    if (size > kMaxDirectory || offset > m_length || size > m_length - offset)
        return damage("The file's index is damaged.");
    std::string directory(size, '\0');
    if (!readAt(offset, directory.data(), size))
        return damage("The file cannot be read.");
    return parseEntries(directory, count);
}

Result<void> StoredZipReader::parseEntries(const std::string& directory, std::uint64_t count) {
    std::size_t at = 0;
    for (std::uint64_t i = 0; i < count; ++i) {
        const char* entry = directory.data() + at;
        if (directory.size() - at < 46 || numberAt<std::uint32_t>(entry) != kDirectoryEntry)
            return damage("The file's index is damaged.");
        const std::size_t nameSize = numberAt<std::uint16_t>(entry + 28);
        const std::size_t extraSize = numberAt<std::uint16_t>(entry + 30);
        const std::size_t entrySize = 46 + nameSize + extraSize + numberAt<std::uint16_t>(entry + 32);
        if (directory.size() - at < entrySize)
            return damage("The file's index is damaged.");
        std::uint64_t packedSize = numberAt<std::uint32_t>(entry + 20);
        ZipRecord record{std::string(entry + 46, nameSize), numberAt<std::uint32_t>(entry + 16),
                         numberAt<std::uint32_t>(entry + 24), numberAt<std::uint32_t>(entry + 42)};
        if (!widen(record, packedSize, entry + 46 + nameSize, extraSize))
            return damage("The file's index is damaged.");
        const bool isStored = numberAt<std::uint16_t>(entry + 10) == 0 && packedSize == record.size &&
                              (numberAt<std::uint16_t>(entry + 8) & 1) == 0;
        if (!isStored)
            return damage("The record \"" + record.name + "\" is compressed or encrypted; torch.save writes neither.");
        if (record.headerOffset > m_length || record.size > m_length - record.headerOffset)
            return damage("The file's index is damaged: the record \"" + record.name + "\" lies outside the file.");
        m_records.push_back(std::move(record));
        at += entrySize;
    }
    std::sort(m_records.begin(), m_records.end(), [](const auto& a, const auto& b) { return a.name < b.name; });
    return {};
}

const ZipRecord* StoredZipReader::find(std::string_view name) const {
    const auto found = std::lower_bound(m_records.begin(), m_records.end(), name,
                                        [](const ZipRecord& record, std::string_view n) { return record.name < n; });
    return found != m_records.end() && found->name == name ? &*found : nullptr;
}

Result<void> StoredZipReader::read(const ZipRecord& record, void* bytes) const {
    char header[30];
    if (!readAt(record.headerOffset, header, sizeof header) || numberAt<std::uint32_t>(header) != kLocalHeader)
        return damage("The record \"" + record.name + "\" is not where the file's index says.");
    const std::uint64_t start =
        record.headerOffset + 30 + numberAt<std::uint16_t>(header + 26) + numberAt<std::uint16_t>(header + 28);
    if (!readAt(start, bytes, record.size))
        return damage("The file is shorter than its index says.");
    if (crcOf(bytes, record.size) != record.crc)
        return damage("The record \"" + record.name + "\" is damaged: its checksum differs.");
    return {};
}

Result<std::string> StoredZipReader::readText(const ZipRecord& record, std::uint64_t limit) const {
    if (record.size > limit)
        return damage("The record \"" + record.name + "\" is larger than any checkpoint's.");
    std::string text(record.size, '\0');
    if (auto got = read(record, text.data()); !got)
        return got.error();
    return text;
}

} // namespace trainyard
