#include "core/base/InputFile.h"

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>
#include <utility>

namespace trainyard {
namespace {

/// The sentence about something that is no regular file; empty for a regular one.
std::string objection(mode_t mode) {
    if (S_ISREG(mode))
        return {};
    if (S_ISDIR(mode))
        return "This is a folder, not a file.";
    if (S_ISFIFO(mode))
        return "This is a pipe, not a file.";
    if (S_ISSOCK(mode))
        return "This is a socket, not a file.";
    return "This is a device, not a file.";
}

std::string openingFailure(int code) {
    if (code == ENOENT)
        return "The file does not exist.";
    if (code == EACCES)
        return "The file may not be read: permission is denied.";
    return fmt::format("The file cannot be opened: {}.", std::strerror(code));
}

} // namespace

Result<InputFile> InputFile::open(const std::filesystem::path& path, ErrorKind kind) {
    struct stat status {};
    if (::stat(path.c_str(), &status) != 0)
        return Error{kind, openingFailure(errno), path.string(), ""};
    if (const std::string wrong = objection(status.st_mode); !wrong.empty())
        return Error{kind, wrong, path.string(), ""};
    InputFile file;
    file.m_path = path;
    file.m_kind = kind;
    // Looked at again once open, and without waiting: it may have been exchanged for a pipe meanwhile.
    file.m_descriptor = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
    if (file.m_descriptor < 0)
        return Error{kind, openingFailure(errno), path.string(), ""};
    if (::fstat(file.m_descriptor, &status) != 0 || !S_ISREG(status.st_mode))
        return Error{kind, "This is not a file.", path.string(), ""};
    file.m_length = std::uint64_t(status.st_size);
    return file;
}

InputFile::InputFile(InputFile&& other) noexcept {
    *this = std::move(other);
}

InputFile& InputFile::operator=(InputFile&& other) noexcept {
    std::swap(m_path, other.m_path);
    std::swap(m_kind, other.m_kind);
    std::swap(m_descriptor, other.m_descriptor);
    std::swap(m_length, other.m_length);
    return *this;
}

InputFile::~InputFile() {
    if (m_descriptor >= 0)
        ::close(m_descriptor);
}

bool InputFile::readAt(std::uint64_t offset, void* bytes, std::uint64_t count) const {
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

Result<std::string> InputFile::readAll(std::uint64_t most) const {
    std::string text;
    text.reserve(std::size_t(std::min(m_length, most)));
    char block[1 << 16];
    while (text.size() < most) {
        const auto wanted = std::min<std::uint64_t>(sizeof block, most - text.size());
        const ssize_t count = ::pread(m_descriptor, block, wanted, off_t(text.size()));
        if (count < 0 && errno == EINTR)
            continue;
        if (count < 0)
            return Error{m_kind, fmt::format("The file cannot be read: {}.", std::strerror(errno)), m_path.string(),
                         ""};
        if (count == 0)
            break;
        text.append(block, std::size_t(count));
    }
    return text;
}

Result<std::string> readFile(const std::filesystem::path& path, ErrorKind kind) {
    const auto file = InputFile::open(path, kind);
    if (!file)
        return file.error();
    return file->readAll();
}

Result<std::string> readTextFile(const std::filesystem::path& path, ErrorKind kind) {
    auto text = readFile(path, kind);
    if (text && (text->starts_with("\xFF\xFE") || text->starts_with("\xFE\xFF")))
        return Error{kind, "The text is UTF-16.", path.string(), "Save it as UTF-8."};
    return text;
}

bool isRegularFile(const std::filesystem::path& path) {
    std::error_code ignored;
    return std::filesystem::is_regular_file(path, ignored);
}

} // namespace trainyard
