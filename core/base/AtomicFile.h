#pragma once

#include "core/base/Error.h"
#include "core/base/InputFile.h" // readFile

#include <cstddef>
#include <filesystem>
#include <string_view>

namespace trainyard {

/// A file that appears under its name only when it is complete: bytes go to a temporary file beside it, `commit`
/// syncs it, renames it over the old one and syncs the folder. A kill at any byte leaves the old file whole.
/// One thread at a time. A temporary file that was never committed is removed by the destructor.
class AtomicFile {
public:
    /// Fails when the folder is missing, read-only or full; the folder is not made.
    static Result<AtomicFile> create(const std::filesystem::path& path);

    AtomicFile(AtomicFile&& other) noexcept;
    AtomicFile& operator=(AtomicFile&& other) noexcept;
    ~AtomicFile();

    Result<void> write(const void* bytes, std::size_t count);
    Result<void> write(std::string_view text) { return write(text.data(), text.size()); }
    Result<void> commit();

    const std::filesystem::path& path() const { return m_path; }
    const std::filesystem::path& temporaryPath() const { return m_temporary; }

private:
    AtomicFile() = default;
    void discard() noexcept;

    std::filesystem::path m_path;
    std::filesystem::path m_temporary;
    int m_descriptor = -1;
};

/// Writes `text` through an AtomicFile.
Result<void> writeFile(const std::filesystem::path& path, std::string_view text);

} // namespace trainyard
