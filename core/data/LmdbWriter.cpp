#include "core/data/LmdbWriter.h"

#include <fmt/format.h>
#include <lmdb.h>

#include <cerrno>
#include <utility>

namespace trainyard {
namespace {

constexpr std::size_t kMapBytes = std::size_t(1) << 40; // address space, not disk: the file grows as it is written
constexpr std::int64_t kWordsAtOnce = 1000;             // in a transaction, which holds what it wrote in memory

} // namespace

Result<std::unique_ptr<WordWriter>> LmdbWriter::make(const std::filesystem::path& folder) {
    auto writer = std::unique_ptr<LmdbWriter>(new LmdbWriter(folder));
    if (auto opened = writer->open(); !opened)
        return opened.error();
    return std::unique_ptr<WordWriter>(std::move(writer));
}

LmdbWriter::~LmdbWriter() {
    if (m_transaction)
        ::mdb_txn_abort(m_transaction);
    if (m_environment)
        ::mdb_env_close(m_environment);
}

Error LmdbWriter::failure(int code) const {
    if (code == ENOSPC || code == EDQUOT)
        return {ErrorKind::Damaged, "The disk is full.", m_folder.string(), "Free some space, or choose another disk."};
    return {ErrorKind::Damaged, fmt::format("The LMDB database cannot be written: {}.", ::mdb_strerror(code)),
            m_folder.string(), "Choose another place."};
}

Result<void> LmdbWriter::open() {
    if (const int code = ::mdb_env_create(&m_environment); code != 0)
        return failure(code);
    if (const int code = ::mdb_env_set_mapsize(m_environment, kMapBytes); code != 0)
        return failure(code);
    // Nobody else sees the folder yet, so it needs no lock; one sync at the end is enough.
    if (const int code = ::mdb_env_open(m_environment, m_folder.c_str(), MDB_NOLOCK | MDB_NOSYNC, 0644); code != 0)
        return failure(code);
    if (auto begun = begin(); !begun)
        return begun;
    if (const int code = ::mdb_dbi_open(m_transaction, nullptr, 0, &m_database); code != 0)
        return failure(code);
    return {};
}

Result<void> LmdbWriter::begin() {
    const int code = ::mdb_txn_begin(m_environment, nullptr, 0, &m_transaction);
    return code == 0 ? Result<void>() : failure(code);
}

Result<void> LmdbWriter::commit() {
    const int code = ::mdb_txn_commit(std::exchange(m_transaction, nullptr));
    return code == 0 ? Result<void>() : failure(code);
}

Result<void> LmdbWriter::put(const std::string& key, const std::string& value) {
    MDB_val name{key.size(), const_cast<char*>(key.data())}, data{value.size(), const_cast<char*>(value.data())};
    const int code = ::mdb_put(m_transaction, m_database, &name, &data, 0);
    return code == 0 ? Result<void>() : failure(code);
}

Result<void> LmdbWriter::add(const WordToWrite& word) {
    ++m_count;
    if (auto stored = put(fmt::format("image-{:09}", m_count), word.image); !stored)
        return stored;
    if (auto stored = put(fmt::format("label-{:09}", m_count), word.transcript); !stored)
        return stored;
    if (m_count % kWordsAtOnce != 0)
        return {};
    if (auto committed = commit(); !committed)
        return committed;
    return begin();
}

Result<void> LmdbWriter::finish() {
    if (auto counted = put("num-samples", std::to_string(m_count)); !counted)
        return counted;
    if (auto committed = commit(); !committed)
        return committed;
    const int code = ::mdb_env_sync(m_environment, 1);
    return code == 0 ? Result<void>() : failure(code);
}

} // namespace trainyard
