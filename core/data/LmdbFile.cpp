#include "core/data/LmdbFile.h"

#include "core/base/Bytes.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

namespace trainyard {
namespace {

namespace fs = std::filesystem;

constexpr std::uint64_t kHeader = 16; // of every page: number u64, pad u16, flags u16, lower u16, upper u16
constexpr std::uint32_t kMagic = 0xBEEFC0DE, kFormat = 1;
constexpr std::uint64_t kMetaBytes = 136, kNoPage = ~std::uint64_t(0), kMostLevels = 32; // LMDB's own limit
constexpr std::uint16_t kBranch = 1, kLeaf = 2, kOverflow = 4;
constexpr std::uint16_t kIsBig = 1, kIsDatabase = 2, kIsDuplicated = 4; // of a node

/// What a meta page says; the newer of the two counts.
struct Meta {
    std::uint64_t pageSize = 0, depth = 0, entries = 0, root = kNoPage, lastPage = 0, transaction = 0;
};

/// Nothing where the bytes at `offset` are no meta page.
std::optional<Meta> readMeta(const InputFile& file, std::uint64_t offset) {
    std::string bytes(kMetaBytes, '\0');
    if (!file.readAt(offset + kHeader, bytes.data(), bytes.size()))
        return {};
    const ByteReader at(bytes);
    if (at.u32(0) != kMagic)
        return {};
    return Meta{at.u32(24), at.u16(78), at.u64(104), at.u64(112), at.u64(120), at.u64(128)};
}

Error notOurs(const fs::path& path, const std::string& what) {
    return {ErrorKind::Data, what, path.string(), "Write it anew with LMDB 0.9, or convert it where it was made."};
}

} // namespace

fs::path LmdbFile::fileOf(const fs::path& path) {
    std::error_code ignored; // what is no folder is opened as a file, and fails there
    return fs::is_directory(path, ignored) ? path / "data.mdb" : path;
}

bool LmdbFile::looksLikeIt(const fs::path& path) {
    const auto file = InputFile::open(fileOf(path));
    char magic[4];
    return file && file->readAt(kHeader, magic, sizeof magic) && ByteReader({magic, sizeof magic}).u32(0) == kMagic;
}

Result<LmdbFile> LmdbFile::open(const fs::path& path) {
    auto opened = InputFile::open(fileOf(path));
    if (!opened)
        return opened.error();
    LmdbFile database;
    database.m_file = std::make_shared<const InputFile>(std::move(*opened));
    const InputFile& file = *database.m_file;
    char version[4];
    const auto first = readMeta(file, 0);
    if (!first || !file.readAt(kHeader + 4, version, sizeof version))
        return Error{ErrorKind::Data, "The file is no LMDB database, or its beginning is damaged.",
                     file.path().string(), "Check the path; an LMDB database is a folder with a data.mdb in it."};
    if (const std::uint32_t format = ByteReader({version, sizeof version}).u32(0); format != kFormat)
        return notOurs(file.path(), fmt::format("The LMDB database has the data format {}, not {}.", format, kFormat));
    const std::uint64_t size = first->pageSize;
    if (size < 512 || size > 65536 || (size & (size - 1)) != 0)
        return notOurs(file.path(), fmt::format("The LMDB database has pages of {} bytes.", size));
    const auto second = readMeta(file, size);
    const Meta& newest = second && second->transaction > first->transaction ? *second : *first;
    database.m_pageSize = size;
    database.m_root = newest.root;
    database.m_lastPage = newest.lastPage;
    database.m_entries = newest.entries;
    database.m_depth = int(std::min<std::uint64_t>(newest.depth, kMostLevels));
    return database;
}

/// One pass through the tree. Damage cannot lead it in circles: a page deeper than the tree is refused, and no more
/// pages are read than there are.
struct LmdbFile::Walk {
    const LmdbFile& database;
    const std::function<void(std::string_view, const LmdbValue&)>& take;
    const std::function<void(const std::string&)>& complain;
    std::uint64_t pagesLeft;

    bool isInside(std::uint64_t offset, std::uint64_t length) const {
        const std::uint64_t end = database.m_file->length();
        return offset <= end && length <= end - offset;
    }

    void page(std::uint64_t number, int depth) {
        std::string bytes(database.m_pageSize, '\0');
        const bool isThere = number >= 2 && number <= database.m_lastPage && depth < database.m_depth &&
                             pagesLeft > 0 &&
                             database.m_file->readAt(number * bytes.size(), bytes.data(), bytes.size());
        if (!isThere) {
            complain(fmt::format("Page {} is missing; what it held is lost.", number));
            return;
        }
        --pagesLeft;
        const ByteReader at(bytes);
        const std::uint16_t flags = at.u16(10), lower = at.u16(12);
        const bool isLeaf = flags == kLeaf;
        if (at.u64(0) != number || (!isLeaf && flags != kBranch) || lower < kHeader || lower > bytes.size()) {
            complain(fmt::format("Page {} is damaged; what it held is lost.", number));
            return;
        }
        for (std::uint64_t i = 0; i < (lower - kHeader) / 2; ++i) {
            const std::uint64_t start = at.u16(kHeader + 2 * i);
            if (!(isLeaf ? leafNode(bytes, number, start) : branchNode(at, start, depth)))
                complain(fmt::format("Page {} is damaged at its entry {}, which is lost.", number, i + 1));
        }
    }

    /// A node is u16 low, u16 high, u16 flags, u16 key size, then the key; a branch's numbers are its child's page.
    bool branchNode(const ByteReader& at, std::uint64_t start, int depth) {
        if (start < kHeader || start + 8 > at.size())
            return false;
        page(at.u32(start) | std::uint64_t(at.u16(start + 4)) << 32, depth + 1);
        return true;
    }

    /// A leaf's numbers are its value's length; the value follows the key, or the number of the page where it begins.
    bool leafNode(std::string_view bytes, std::uint64_t number, std::uint64_t start) {
        if (start < kHeader || start + 8 > bytes.size())
            return false;
        const ByteReader at(bytes);
        const std::uint64_t length = at.u32(start), keyLength = at.u16(start + 6), value = start + 8 + keyLength;
        const std::uint16_t flags = at.u16(start + 4);
        if (value > bytes.size() || (flags & ~kIsBig) != 0)
            return (flags & (kIsDatabase | kIsDuplicated)) != 0; // a database inside is none of ours, and whole
        const std::string_view key = bytes.substr(start + 8, keyLength);
        if ((flags & kIsBig) == 0) {
            if (length > bytes.size() - value)
                return false;
            take(key, {number * bytes.size() + value, length});
            return true;
        }
        if (value + 8 > bytes.size())
            return false;
        bigValue(key, at.u64(value), length);
        return true;
    }

    void bigValue(std::string_view key, std::uint64_t number, std::uint64_t length) {
        char header[kHeader];
        const std::uint64_t offset = number * database.m_pageSize;
        const bool isThere = number >= 2 && number <= database.m_lastPage && isInside(offset + kHeader, length) &&
                             database.m_file->readAt(offset, header, sizeof header);
        const ByteReader at({header, sizeof header});
        if (isThere && at.u64(0) == number && at.u16(10) == kOverflow &&
            at.u32(12) * database.m_pageSize >= length + kHeader)
            take(key, {offset + kHeader, length});
        else
            complain(fmt::format("The value of {} is damaged or cut off.", key));
    }
};

void LmdbFile::visit(const std::function<void(std::string_view, const LmdbValue&)>& take,
                     const std::function<void(const std::string&)>& complain) const {
    const std::uint64_t wanted = (m_lastPage + 1) * m_pageSize;
    if (m_file->length() < wanted)
        complain(fmt::format("The file is cut off: it has {} of {} bytes.", m_file->length(), wanted));
    if (m_root != kNoPage)
        Walk{*this, take, complain, m_lastPage + 1}.page(m_root, 0);
}

} // namespace trainyard
