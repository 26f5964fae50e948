#pragma once

#include "core/base/Error.h"

#include <cstdint>
#include <filesystem>
#include <string>

namespace trainyard {

/// A file that somebody named, open for reading. Only a regular file can be one: a folder, pipe, socket or device is
/// refused at once with a sentence, since reading it could wait for ever or never end. Reading moves nothing, so any
/// thread may read.
class InputFile {
public:
    /// `kind` is the kind of the errors.
    static Result<InputFile> open(const std::filesystem::path& path, ErrorKind kind = ErrorKind::Data);

    InputFile(InputFile&& other) noexcept;
    InputFile& operator=(InputFile&& other) noexcept;
    ~InputFile();

    const std::filesystem::path& path() const { return m_path; }
    std::uint64_t length() const { return m_length; } ///< bytes, when it was opened

    /// Fills `bytes` with the `count` bytes from `offset` on; false when the file ends before or cannot be read.
    bool readAt(std::uint64_t offset, void* bytes, std::uint64_t count) const;
    /// All of it, but no more than `most` bytes; what was added since it was opened too.
    Result<std::string> readAll(std::uint64_t most = UINT64_MAX) const;

private:
    InputFile() = default;

    std::filesystem::path m_path;
    ErrorKind m_kind = ErrorKind::Data;
    int m_descriptor = -1;
    std::uint64_t m_length = 0;
};

/// The whole file as bytes. Fails with a sentence when it is missing, unreadable or no regular file; `kind` is the
/// Error's kind.
Result<std::string> readFile(const std::filesystem::path& path, ErrorKind kind = ErrorKind::Data);

/// The text of a whole file. UTF-16, which some programs save by themselves, is refused by name.
Result<std::string> readTextFile(const std::filesystem::path& path, ErrorKind kind);

/// Whether it is there and a file; what cannot be looked at is not.
bool isRegularFile(const std::filesystem::path& path);

} // namespace trainyard
