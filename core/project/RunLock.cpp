#include "core/project/Project.h"

#include <fmt/format.h>

#include <cerrno>
#include <chrono>
#include <cstring>
#include <fcntl.h>
#include <sys/file.h>
#include <thread>
#include <unistd.h>

namespace trainyard {
namespace {

/// The descriptor holds the lock: the kernel lets go when it closes, however the process ends.
class FileLock final : public RunLock {
public:
    explicit FileLock(int descriptor) : m_descriptor(descriptor) {}
    ~FileLock() override { ::close(m_descriptor); }
    FileLock(const FileLock&) = delete;
    FileLock& operator=(const FileLock&) = delete;

    /// For people who look into the file; nothing reads it.
    void sign() const {
        char host[256] = {};
        ::gethostname(host, sizeof host - 1);
        const std::string text = fmt::format("pid {}\nhost {}\n", ::getpid(), host);
        if (::ftruncate(m_descriptor, 0) != 0 || ::pwrite(m_descriptor, text.data(), text.size(), 0) < 0)
            return; // a full disk: the lock holds without a signature
    }

private:
    int m_descriptor;
};

std::string ownerOf(const std::filesystem::path& file) {
    std::string text(256, '\0');
    const int descriptor = ::open(file.c_str(), O_RDONLY | O_CLOEXEC);
    const ssize_t count = descriptor < 0 ? 0 : ::read(descriptor, text.data(), text.size());
    if (descriptor >= 0)
        ::close(descriptor);
    text.resize(std::size_t(std::max<ssize_t>(count, 0)));
    for (char& c : text)
        if (c == '\n')
            c = ' ';
    while (!text.empty() && text.back() == ' ')
        text.pop_back();
    return text;
}

/// Tries for a tenth of a second: `isHeld` takes a shared lock for some microseconds.
bool lockExclusively(int descriptor) {
    for (int attempt = 0; attempt < 20; ++attempt) {
        if (::flock(descriptor, LOCK_EX | LOCK_NB) == 0)
            return true;
        if (errno != EWOULDBLOCK && errno != EINTR)
            return false;
        std::this_thread::sleep_for(std::chrono::milliseconds(5));
    }
    return false;
}

} // namespace

Result<std::unique_ptr<RunLock>> RunLock::acquire(const std::filesystem::path& runFolder) {
    const auto file = runFolder / "owner.lock";
    const int descriptor = ::open(file.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0644);
    if (descriptor < 0)
        return Error{ErrorKind::Damaged, fmt::format("The run cannot be locked: {}.", std::strerror(errno)),
                     file.string(), "Check that the run's folder exists and can be written to."};
    auto lock = std::make_unique<FileLock>(descriptor);
    if (!lockExclusively(descriptor)) {
        const std::string owner = ownerOf(file);
        return Error{ErrorKind::Damaged,
                     owner.empty() ? std::string("Another program is training this run.")
                                   : fmt::format("Another program ({}) is training this run.", owner),
                     runFolder.string(), "Stop it there first, or start a new run."};
    }
    lock->sign();
    return std::unique_ptr<RunLock>(std::move(lock));
}

bool RunLock::isHeld(const std::filesystem::path& runFolder) {
    const int descriptor = ::open((runFolder / "owner.lock").c_str(), O_RDONLY | O_CLOEXEC);
    if (descriptor < 0)
        return false;
    const bool isHeld = ::flock(descriptor, LOCK_SH | LOCK_NB) != 0 && errno == EWOULDBLOCK;
    ::close(descriptor); // lets go
    return isHeld;
}

} // namespace trainyard
