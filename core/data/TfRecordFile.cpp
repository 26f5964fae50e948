#include "core/data/TfRecordFile.h"

#include "core/base/Bytes.h"
#include "core/base/Crc32c.h"

#include <fmt/format.h>

namespace trainyard {
namespace {

constexpr std::size_t kHead = 12, kTail = 4; // length and its checksum; the checksum of the data

std::uint32_t masked(std::uint32_t sum) {
    return (sum >> 15 | sum << 17) + 0xA282EAD8;
}

bool isHeadWhole(std::string_view head) {
    return ByteReader(head).u32(8) == masked(crc32c(head.substr(0, 8)));
}

void append(std::string& bytes, std::uint64_t number, int width) {
    for (int i = 0; i < width; ++i)
        bytes += char((number >> (8 * i)) & 255);
}

} // namespace

std::string TfRecord::name() const {
    return fmt::format("record {} at byte {}", number, offset);
}

Result<TfRecordReader> TfRecordReader::open(const std::filesystem::path& path) {
    auto file = InputFile::open(path);
    if (!file)
        return file.error();
    char magic[2];
    if (file->readAt(0, magic, 2) && magic[0] == '\x1F' && magic[1] == '\x8B')
        return Error{ErrorKind::Data, "The TFRecord file is compressed; records cannot be found in it.", path.string(),
                     "Unpack it with gunzip."};
    TfRecordReader reader;
    reader.m_file = std::make_shared<const InputFile>(std::move(*file));
    return reader;
}

bool TfRecordReader::looksLikeIt(const std::filesystem::path& path) {
    const auto file = InputFile::open(path);
    char head[kHead];
    return file && file->readAt(0, head, kHead) && isHeadWhole({head, kHead});
}

Result<TfRecord> TfRecordReader::next() {
    TfRecord record{++m_read, m_offset, {}, true};
    const auto lost = [&](const char* what) {
        return Error{ErrorKind::Data,
                     fmt::format("The TFRecord file {} in {}; what follows is lost.", what, record.name()),
                     m_file->path().string(), "Copy the file again, or write it anew."};
    };
    char head[kHead];
    if (!m_file->readAt(m_offset, head, kHead))
        return lost("is cut off");
    if (!isHeadWhole({head, kHead}))
        return lost("is damaged (the checksum of the length does not match)");
    const std::uint64_t length = ByteReader({head, kHead}).u64(0), left = m_file->length() - m_offset - kHead;
    if (length > left || left - length < kTail)
        return lost("is cut off");
    record.data.resize(std::size_t(length) + kTail);
    if (!m_file->readAt(record.dataOffset(), record.data.data(), record.data.size()))
        return lost("cannot be read");
    const std::uint32_t stored = ByteReader(record.data).u32(length);
    record.data.resize(std::size_t(length));
    record.isWhole = stored == masked(crc32c(record.data));
    m_offset += kHead + length + kTail;
    return record;
}

std::string asTfRecord(std::string_view data) {
    std::string bytes;
    bytes.reserve(kHead + data.size() + kTail);
    append(bytes, data.size(), 8);
    append(bytes, masked(crc32c(bytes)), 4);
    bytes += data;
    append(bytes, masked(crc32c(data)), 4);
    return bytes;
}

} // namespace trainyard
