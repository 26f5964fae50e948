#include "core/project/ProjectSalvage.h"

#include <algorithm>
#include <set>

namespace trainyard {
namespace {

/// Rows up to the first one that cannot be read.
void readUntilDamage(SQLite::Database& database, const std::string& sql, std::vector<Row>& rows,
                     std::set<std::string>& seen) {
    try {
        SQLite::Statement statement(database, sql);
        while (statement.executeStep()) {
            Row row = rowOf(statement);
            if (seen.insert(textOf(row)).second)
                rows.push_back(std::move(row));
        }
    } catch (const SQLite::Exception&) {
        // the damage: what lies behind it is reached from the other end
    }
}

} // namespace

Salvage::Salvage(const std::filesystem::path& file) {
    try {
        const TemporaryFolder folder;
        const auto copy = folder.path() / "salvage.sqlite";
        for (const char* suffix : {"", "-wal", "-journal"})
            if (std::error_code failed; std::filesystem::exists(file.string() + suffix, failed))
                std::filesystem::copy_file(file.string() + suffix, copy.string() + suffix);
        SQLite::Database database(copy.string(), SQLite::OPEN_READWRITE);
        for (const char* table : {"run", "tag", "session", "checkpoint", "event", "evaluation", "setting", "data_root"})
            readTable(database, table);
    } catch (const std::exception&) {
        // not SQLite's any more, or no room for a copy: the run folders have to do
    }
}

void Salvage::readTable(SQLite::Database& database, const std::string& table) {
    const std::map<std::string, std::string> keys = {{"tag", "run DESC, position DESC"},
                                                     {"session", "run DESC, number DESC"},
                                                     {"setting", "key DESC"},
                                                     {"data_root", "name DESC"}};
    const auto key = keys.find(table);
    std::vector<Row>& rows = m_tables[table];
    std::set<std::string> seen;
    readUntilDamage(database, "SELECT * FROM " + table, rows, seen);
    std::vector<Row> behind;
    readUntilDamage(database,
                    "SELECT * FROM " + table + " ORDER BY " + (key == keys.end() ? "rowid DESC" : key->second), behind,
                    seen);
    rows.insert(rows.end(), behind.rbegin(), behind.rend());
    for (Row& row : rows)
        if (table == "checkpoint" && integerIn(row, "is_best") == 1) // of version 1
            row["best_order"] = 1;
}

const std::vector<Row>& Salvage::rows(const std::string& table) const {
    static const std::vector<Row> kNone;
    const auto found = m_tables.find(table);
    return found == m_tables.end() ? kNone : found->second;
}

Row Salvage::runIn(const std::string& folder) const {
    for (const Row& row : rows("run"))
        if (textIn(row, "folder") == folder)
            return row;
    return nullptr;
}

std::vector<Row> Salvage::rowsOf(const std::string& table, std::int64_t id) const {
    std::vector<Row> own;
    std::copy_if(rows(table).begin(), rows(table).end(), std::back_inserter(own),
                 [id](const Row& row) { return integerIn(row, "run") == id; });
    return own;
}

std::size_t Salvage::count() const {
    std::size_t count = 0;
    for (const auto& [table, rows] : m_tables)
        count += rows.size();
    return count;
}

} // namespace trainyard
