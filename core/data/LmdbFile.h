#pragma once

#include "core/base/InputFile.h"

#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace trainyard {

/// The value of one key: where its bytes lie in the file.
struct LmdbValue {
    std::uint64_t offset = 0, length = 0;
};

/// An LMDB database (data format 1, of LMDB 0.9, 64 bits, little-endian) open for reading. The file's pages are read as
/// they are documented in LMDB's lmdb.h and mdb.c, with every number checked: LMDB itself maps the file, wants a lock
/// file, and ends the process on a damaged page. Here damage is a sentence, and the folder may be read-only. Any
/// thread.
class LmdbFile {
public:
    /// `path` is the database's folder or the file itself. Fails when it is no database, or one of another format.
    static Result<LmdbFile> open(const std::filesystem::path& path);

    /// The file that `path` stands for: `data.mdb` in a folder, else itself.
    static std::filesystem::path fileOf(const std::filesystem::path& path);
    static bool looksLikeIt(const std::filesystem::path& path);

    /// Calls `take` for every key of the main database in its order. What is damaged is left out and told to
    /// `complain` with a sentence; a value outside the file still has its key named there.
    void visit(const std::function<void(std::string_view key, const LmdbValue&)>& take,
               const std::function<void(const std::string& problem)>& complain) const;

    std::uint64_t entries() const { return m_entries; } ///< as the database counts them
    const std::shared_ptr<const InputFile>& file() const { return m_file; }

private:
    struct Walk;
    LmdbFile() = default;

    std::shared_ptr<const InputFile> m_file;
    std::uint64_t m_pageSize = 0, m_root = 0, m_lastPage = 0, m_entries = 0;
    int m_depth = 0;
};

} // namespace trainyard
