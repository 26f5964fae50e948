#pragma once

#include "core/base/InputFile.h"

#include <memory>
#include <string>

namespace trainyard {

/// One record of a TFRecord file.
struct TfRecord {
    std::int64_t number = 0;  ///< counted from 1
    std::uint64_t offset = 0; ///< where the record begins in the file; its data begins 12 bytes later
    std::string data;
    bool isWhole = true; ///< false when the checksum of the data does not match

    std::uint64_t dataOffset() const { return offset + 12; }
    /// "record 3 at byte 1234".
    std::string name() const;
};

/// Reads a TFRecord file from its beginning to its end: length u64, its masked CRC-32C, data, its masked CRC-32C.
/// Source: TensorFlow's guide "TFRecord and tf.train.Example". One thread at a time; the file itself may be shared.
class TfRecordReader {
public:
    static Result<TfRecordReader> open(const std::filesystem::path& path);
    static bool looksLikeIt(const std::filesystem::path& path); ///< the first length's checksum matches

    bool atEnd() const { return m_offset >= m_file->length(); }
    /// The next record. Fails, with record and offset, where the file is cut off or a length is damaged: no record can
    /// be found after that. A record whose data is damaged is no failure: the next one can be read.
    Result<TfRecord> next();

    const std::shared_ptr<const InputFile>& file() const { return m_file; }
    std::uint64_t offset() const { return m_offset; }

private:
    TfRecordReader() = default;

    std::shared_ptr<const InputFile> m_file;
    std::uint64_t m_offset = 0;
    std::int64_t m_read = 0;
};

/// A record around `data`, ready to be appended to a file.
std::string asTfRecord(std::string_view data);

} // namespace trainyard
