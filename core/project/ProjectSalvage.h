#pragma once

#include "core/project/Rows.h"

#include <filesystem>
#include <map>
#include <string>
#include <vector>

namespace trainyard {

/// The rows of `project.sqlite` that can still be read, by table; of any schema version, however damaged. Works on a
/// copy.
class Salvage {
public:
    Salvage() = default; ///< of no file: nothing
    explicit Salvage(const std::filesystem::path& file);

    const std::vector<Row>& rows(const std::string& table) const;
    /// The run whose folder this is, null where there is none.
    Row runIn(const std::string& folder) const;
    /// The rows of `table` that belong to run `id`.
    std::vector<Row> rowsOf(const std::string& table, std::int64_t id) const;
    std::size_t count() const;

private:
    void readTable(SQLite::Database& database, const std::string& table);
    std::map<std::string, std::vector<Row>> m_tables;
};

} // namespace trainyard
