#include "core/base/AtomicFile.h"

#include <fmt/format.h>

#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

namespace trainyard {
namespace {

/// Turns errno into a sentence that names the disk's free space where that matters.
Error writeError(const std::filesystem::path& path, int code) {
    if (code == ENOSPC || code == EDQUOT) {
        struct statvfs space {};
        double freeMegabytes = 0;
        if (::statvfs(path.parent_path().c_str(), &space) == 0)
            freeMegabytes = double(space.f_bavail) * double(space.f_frsize) / 1e6;
        return Error{ErrorKind::Damaged, fmt::format("The disk is full ({:.1f} MB free).", freeMegabytes),
                     path.string(), "Free some space and resume; nothing already written is lost."};
    }
    if (code == EACCES || code == EROFS || code == EPERM)
        return Error{ErrorKind::Damaged, "The folder cannot be written to.", path.string(),
                     "Give yourself write permission or choose another folder."};
    if (code == ENOENT)
        return Error{ErrorKind::Damaged, "The folder does not exist.", path.string(), "Create it or choose another."};
    return Error{ErrorKind::Damaged, fmt::format("The file cannot be written: {}.", std::strerror(code)), path.string(),
                 ""};
}

} // namespace

Result<AtomicFile> AtomicFile::create(const std::filesystem::path& path) {
    AtomicFile file;
    file.m_path = path;
    std::string pattern = path.string() + ".XXXXXX.tmp";
    file.m_descriptor = ::mkostemps(pattern.data(), 4, O_CLOEXEC);
    if (file.m_descriptor < 0)
        return writeError(path, errno);
    file.m_temporary = pattern;
    ::fchmod(file.m_descriptor, 0644); // mkostemps gives 0600; a refusal leaves that, which is only stricter
    return file;
}

AtomicFile::AtomicFile(AtomicFile&& other) noexcept {
    *this = std::move(other);
}

AtomicFile& AtomicFile::operator=(AtomicFile&& other) noexcept {
    if (this != &other) {
        discard();
        m_path = std::move(other.m_path);
        m_temporary = std::move(other.m_temporary);
        m_descriptor = std::exchange(other.m_descriptor, -1);
    }
    return *this;
}

AtomicFile::~AtomicFile() {
    discard();
}

void AtomicFile::discard() noexcept {
    if (m_descriptor < 0)
        return;
    ::close(m_descriptor);
    ::unlink(m_temporary.c_str());
    m_descriptor = -1;
}

Result<void> AtomicFile::write(const void* bytes, std::size_t count) {
    auto* next = static_cast<const char*>(bytes);
    while (count > 0) {
        const ssize_t written = ::write(m_descriptor, next, count);
        if (written < 0 && errno == EINTR)
            continue;
        if (written < 0)
            return writeError(m_path, errno);
        next += written;
        count -= std::size_t(written);
    }
    return {};
}

Result<void> AtomicFile::commit() {
    if (::fsync(m_descriptor) != 0)
        return writeError(m_path, errno);
    if (::rename(m_temporary.c_str(), m_path.c_str()) != 0)
        return writeError(m_path, errno);
    ::close(m_descriptor);
    m_descriptor = -1;
    const auto folder = m_path.parent_path().empty() ? std::filesystem::path(".") : m_path.parent_path();
    if (const int handle = ::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC); handle >= 0) {
        ::fsync(handle); // some file systems refuse to sync a folder; the file itself is already on disk
        ::close(handle);
    }
    return {};
}

Result<void> writeFile(const std::filesystem::path& path, std::string_view text) {
    auto file = AtomicFile::create(path);
    if (!file)
        return file.error();
    if (auto written = file->write(text); !written)
        return written.error();
    return file->commit();
}

} // namespace trainyard
