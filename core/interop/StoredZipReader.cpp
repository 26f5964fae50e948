#include "core/interop/StoredZipReader.h"

#include <algorithm>

namespace trainyard {
using namespace zip;
namespace {

constexpr std::uint64_t kMaxDirectory = 256u << 20; // a million records; more is no checkpoint

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

Error StoredZipReader::damage(const std::string& what) const {
    return {ErrorKind::Damaged, what, m_file.path().string(), "Use another copy, or the checkpoint before it."};
}

Result<StoredZipReader> StoredZipReader::open(const std::filesystem::path& path) {
    auto file = InputFile::open(path, ErrorKind::Damaged);
    if (!file)
        return file.error();
    return open(std::move(*file));
}

Result<StoredZipReader> StoredZipReader::open(InputFile file) {
    StoredZipReader reader(std::move(file));
    if (auto read = reader.readDirectory(); !read)
        return read.error();
    return reader;
}

Result<void> StoredZipReader::readDirectory() {
    const std::uint64_t tailSize =
        std::min<std::uint64_t>(m_file.length(), 22 + 65535); // the end record and its comment
    std::string tail(tailSize, '\0');
    if (!m_file.readAt(m_file.length() - tailSize, tail.data(), tailSize))
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
        if (!m_file.readAt(numberAt<std::uint64_t>(tail.data() + end - 12), wide, sizeof wide) ||
            numberAt<std::uint32_t>(wide) != kEnd64)
            return damage("The file's index is damaged.");
        count = numberAt<std::uint64_t>(wide + 32);
        size = numberAt<std::uint64_t>(wide + 40);
        offset = numberAt<std::uint64_t>(wide + 48);
    }
    if (size > kMaxDirectory || offset > m_file.length() || size > m_file.length() - offset)
        return damage("The file's index is damaged.");
    std::string directory(size, '\0');
    if (!m_file.readAt(offset, directory.data(), size))
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
        if (record.headerOffset > m_file.length() || record.size > m_file.length() - record.headerOffset)
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
    if (!m_file.readAt(record.headerOffset, header, sizeof header) || numberAt<std::uint32_t>(header) != kLocalHeader)
        return damage("The record \"" + record.name + "\" is not where the file's index says.");
    const std::uint64_t start =
        record.headerOffset + 30 + numberAt<std::uint16_t>(header + 26) + numberAt<std::uint16_t>(header + 28);
    if (!m_file.readAt(start, bytes, record.size))
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
