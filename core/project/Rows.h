#pragma once

#include "core/project/Database.h"

#include <nlohmann/json.hpp>

#include <string>
#include <vector>

namespace trainyard {

/// Rows as JSON objects keyed by column. Run files, rebuild and salvage go through this, so that a column added by a
/// migration travels without another line of code.
using Row = nlohmann::json;

/// The current row of a statement; a NULL is left out.
Row rowOf(SQLite::Statement& statement);

/// All rows of a statement.
std::vector<Row> rowsOf(SQLite::Statement& statement);

/// Inserts what of `row` are columns of `table`; the rest of the columns take their defaults. The new row's number.
std::int64_t insertRow(const Database& database, const std::string& table, const Row& row);

/// A member of a row that someone may have damaged: empty, or 0, where it is missing or of another type.
std::string textIn(const Row& row, const char* key);
std::int64_t integerIn(const Row& row, const char* key);

/// As text, whatever bytes the strings hold. `indent` -1: on one line.
std::string textOf(const nlohmann::json& json, int indent = -1);

} // namespace trainyard
