#include "core/project/SeriesFile.h"

#include <sys/stat.h>

namespace trainyard {
namespace {

namespace fs = std::filesystem;

} // namespace

void removeDatabase(const fs::path& file) {
    for (const char* suffix : {"", "-wal", "-shm", "-journal"}) {
        std::error_code ignored; // most of them are not there
        fs::remove(file.string() + suffix, ignored);
    }
}

fs::path setAside(const fs::path& file) {
    for (int number = 1;; ++number) {
        const fs::path aside = file.string() + ".damaged-" + std::to_string(number);
        if (fs::exists(aside))
            continue;
        for (const char* suffix : {"-wal", "-shm", "-journal", ""}) // the file itself last: a kill leaves it found
            if (fs::exists(file.string() + suffix))
                fs::rename(file.string() + suffix, aside.string() + suffix);
        return aside;
    }
}

DatabaseWatch::Identity DatabaseWatch::identityOf(const std::string& file) {
    struct stat status {};
    if (::stat(file.c_str(), &status) != 0)
        return {};
    return {true, std::uint64_t(status.st_dev), std::uint64_t(status.st_ino), std::int64_t(status.st_size)};
}

void DatabaseWatch::look() {
    m_main = identityOf(m_file.string());
    m_log = identityOf(m_file.string() + "-wal");
}

std::optional<std::string> DatabaseWatch::change() const {
    const Identity main = identityOf(m_file.string()), log = identityOf(m_file.string() + "-wal");
    if (!main.isThere)
        return "was removed";
    if (!main.isSame(m_main))
        return "was replaced";
    if (main.bytes < m_main.bytes)
        return "was cut short";
    if (m_log.isThere && !log.isThere)
        return "lost its log";
    if (m_log.isThere && !log.isSame(m_log))
        return "got another log";
    return std::nullopt;
}

} // namespace trainyard
