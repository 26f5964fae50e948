#pragma once

#include "core/base/Error.h"

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>

namespace trainyard {

/// `file` and the companions that SQLite keeps beside it: "-wal", "-shm", "-journal".
void removeDatabase(const std::filesystem::path& file);

/// Under the first free name FILE.damaged-N, with its log, so that SQLite can still open it there. Throws
/// std::filesystem::filesystem_error.
std::filesystem::path setAside(const std::filesystem::path& file);

/// Whether a database file is still the one that was opened. SQLite goes on writing into a file that somebody has
/// removed, replaced or cut short, and says nothing.
class DatabaseWatch {
public:
    explicit DatabaseWatch(std::filesystem::path file) : m_file(std::move(file)) { look(); }

    /// Remembers it as it is now; after each write.
    void look();
    /// "was removed", "was replaced", "was cut short"; nothing when it is as it was, or has grown.
    std::optional<std::string> change() const;

private:
    struct Identity {
        bool isThere = false;
        std::uint64_t device = 0, number = 0;
        std::int64_t bytes = 0;
        bool isSame(const Identity& other) const { return device == other.device && number == other.number; }
    };
    static Identity identityOf(const std::string& file);

    std::filesystem::path m_file;
    Identity m_main, m_log;
};

} // namespace trainyard
