#pragma once

#include "core/base/Clock.h"
#include "core/base/Error.h"
#include "core/project/FileSystem.h"

#include <SQLiteCpp/SQLiteCpp.h>

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <type_traits>

namespace trainyard {

/// One step of a schema; it runs in the transaction that also sets `PRAGMA user_version` to its number.
struct Migration {
    int number = 0;
    const char* sql = nullptr;
};

/// What distinguishes our kinds of file.
struct DatabaseKind {
    std::span<const Migration> migrations;
    std::int32_t applicationId = 0;
    const char* noun = "";   ///< "project", in sentences
    const char* remedy = ""; ///< what to do about a damaged one
};

enum class Access { ReadOnly, ReadWrite, Create };

/// One connection to one of our SQLite files, opened, checked and migrated. SQLite's exceptions become Errors in `read`
/// and `write`. One thread at a time.
class Database {
public:
    /// How long to wait for other programs before a lock is reported.
    static constexpr double kPatienceSeconds = 60;

    /// ReadOnly never changes the folder's contents as far as a reader can see: a file of an older version, or one that
    /// needs recovery in a folder that cannot be written to, is opened as a copy.
    /// `isDamaged` is set when it cannot be opened because its bytes are wrong, and for no other reason.
    static Result<std::unique_ptr<Database>> open(const std::filesystem::path& file, Access access,
                                                  const DatabaseKind& kind, bool* isDamaged = nullptr);
    ~Database();

    /// Runs `deed`, which returns a Result, in one transaction that takes the write lock at once; it is rolled back
    /// when the deed fails and tried anew when the database was locked, so a deed must be repeatable.
    template <class Deed>
    auto write(Deed&& deed) -> std::invoke_result_t<Deed> {
        return inTransaction("BEGIN IMMEDIATE", deed);
    }
    /// The same for reading: all that `deed` sees belongs to one moment.
    template <class Deed>
    auto read(Deed&& deed) const -> std::invoke_result_t<Deed> {
        return inTransaction("BEGIN", deed);
    }

    SQLite::Database& handle() const { return *m_handle; }
    /// A prepared statement with `values` bound in order. A double that is not a number is bound as NULL.
    template <class... Values>
    SQLite::Statement statement(const char* sql, const Values&... values) const {
        SQLite::Statement prepared(*m_handle, sql);
        [[maybe_unused]] int index = 0;
        (bindValue(prepared, ++index, values), ...);
        return prepared;
    }
    /// Executes it; how many rows changed.
    template <class... Values>
    int execute(const char* sql, const Values&... values) const {
        return statement(sql, values...).exec();
    }
    template <class... Values>
    std::int64_t number(const char* sql, const Values&... values) const {
        auto prepared = statement(sql, values...);
        return prepared.executeStep() ? prepared.getColumn(0).getInt64() : 0;
    }

    /// Changes when anybody, this connection included, changed the file.
    std::int64_t dataVersion() const;
    Error error(const SQLite::Exception& exception) const;
    const std::filesystem::path& file() const { return m_file; }
    /// Whether wrong bytes were met.
    bool isDamaged() const { return m_isDamaged; }

private:
    Database(std::filesystem::path file, const DatabaseKind& kind) : m_file(std::move(file)), m_kind(&kind) {}

    /// Where the file lies; a bare file name lies here.
    std::filesystem::path folder() const { return m_file.has_parent_path() ? m_file.parent_path() : "."; }
    Result<void> openForWriting(bool isCreating);
    Result<void> openForReading();
    void connectForReading();
    void connectCopy();
    void connect(const std::string& name, int flags);
    Result<void> checkVersion(bool isCreating) const;
    Result<void> migrate();
    Result<void> checkPages() const;
    void chooseJournal();
    Error fullDisk() const;
    void begin(const char* how) const;
    void rollBack() const noexcept;
    static bool isBusy(const SQLite::Exception& exception);

    static void bindValue(SQLite::Statement& s, int i, const std::string& text) { s.bind(i, text); }
    static void bindValue(SQLite::Statement& s, int i, const char* text) { s.bind(i, text); }
    static void bindValue(SQLite::Statement& s, int i, double real) { s.bind(i, real); }
    static void bindValue(SQLite::Statement& s, int i, std::nullptr_t) { s.bind(i); }
    template <class T>
    requires std::is_integral_v<T> || std::is_enum_v<T>
    static void bindValue(SQLite::Statement& s, int i, T integer) { s.bind(i, static_cast<std::int64_t>(integer)); }
    template <class T>
    static void bindValue(SQLite::Statement& s, int i, const std::optional<T>& value) {
        value ? bindValue(s, i, *value) : s.bind(i);
    }

    template <class Deed>
    auto inTransaction(const char* how, Deed& deed) const -> std::invoke_result_t<Deed> {
        const double deadline = steadySeconds() + kPatienceSeconds;
        for (;;) {
            try {
                begin(how);
                auto result = deed();
                if (!result) {
                    rollBack();
                    return result;
                }
                m_handle->exec("COMMIT");
                return result;
            } catch (const SQLite::Exception& exception) {
                rollBack();
                if (!isBusy(exception) || steadySeconds() > deadline)
                    return error(exception);
            } catch (...) {
                rollBack();
                throw;
            }
        }
    }

    std::filesystem::path m_file;
    const DatabaseKind* m_kind;
    mutable bool m_isDamaged = false;
    std::unique_ptr<TemporaryFolder> m_copy; ///< where the copy lies, if it is one
    std::unique_ptr<SQLite::Database> m_handle;
    mutable std::unique_ptr<SQLite::Statement> m_dataVersion;
};

} // namespace trainyard
