#pragma once

#include "core/data/WordWriter.h"

struct MDB_env;
struct MDB_txn;

namespace trainyard {

/// Words in an LMDB database: `num-samples`, and from 1 on `image-%09d` and `label-%09d`. Written through LMDB itself.
class LmdbWriter final : public WordWriter {
public:
    /// `folder` exists; it gets a data.mdb and no lock file.
    static Result<std::unique_ptr<WordWriter>> make(const std::filesystem::path& folder);
    ~LmdbWriter() override;

    Result<void> add(const WordToWrite& word) override;
    Result<void> finish() override;

private:
    explicit LmdbWriter(std::filesystem::path folder) : m_folder(std::move(folder)) {}
    Result<void> open();
    Result<void> begin();
    Result<void> commit();
    Result<void> put(const std::string& key, const std::string& value);
    Error failure(int code) const;

    std::filesystem::path m_folder;
    MDB_env* m_environment = nullptr; ///< owned
    MDB_txn* m_transaction = nullptr; ///< owned until it is committed
    unsigned m_database = 0;
    std::int64_t m_count = 0;
};

} // namespace trainyard
