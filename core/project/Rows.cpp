#include "core/project/Rows.h"

#include <cmath>

namespace trainyard {

Row rowOf(SQLite::Statement& statement) {
    Row row = Row::object();
    for (int i = 0; i < statement.getColumnCount(); ++i) {
        const SQLite::Column column = statement.getColumn(i);
        if (column.isInteger())
            row[column.getName()] = column.getInt64();
        else if (column.isFloat() && std::isfinite(column.getDouble())) // JSON has no infinity
            row[column.getName()] = column.getDouble();
        else if (column.isText())
            row[column.getName()] = column.getString();
    }
    return row;
}

std::vector<Row> rowsOf(SQLite::Statement& statement) {
    std::vector<Row> rows;
    while (statement.executeStep())
        rows.push_back(rowOf(statement));
    return rows;
}

namespace {

void bindJson(SQLite::Statement& statement, int index, const nlohmann::json& value) {
    if (value.is_number_integer())
        statement.bind(index, value.get<std::int64_t>());
    else if (value.is_boolean())
        statement.bind(index, std::int64_t(value.get<bool>()));
    else if (value.is_number())
        statement.bind(index, value.get<double>());
    else if (value.is_string())
        statement.bind(index, value.get<std::string>());
    else
        statement.bind(index);
}

} // namespace

std::int64_t insertRow(const Database& database, const std::string& table, const Row& row) {
    std::string names, marks;
    std::vector<const nlohmann::json*> values;
    auto columns = database.statement("SELECT name FROM pragma_table_info(?)", table);
    while (columns.executeStep()) {
        const std::string name = columns.getColumn(0).getString();
        const auto found = row.find(name);
        if (found == row.end() || found->is_null())
            continue;
        names += (names.empty() ? "\"" : ", \"") + name + '"';
        marks += marks.empty() ? "?" : ", ?";
        values.push_back(&*found);
    }
    const std::string sql = values.empty() ? "INSERT INTO " + table + " DEFAULT VALUES"
                                           : "INSERT INTO " + table + " (" + names + ") VALUES (" + marks + ")";
    SQLite::Statement insert(database.handle(), sql);
    for (std::size_t i = 0; i < values.size(); ++i)
        bindJson(insert, int(i) + 1, *values[i]);
    insert.exec();
    return database.handle().getLastInsertRowid();
}

std::string textIn(const Row& row, const char* key) {
    const auto found = row.is_object() ? row.find(key) : row.end();
    return found != row.end() && found->is_string() ? found->get<std::string>() : std::string();
}

std::int64_t integerIn(const Row& row, const char* key) {
    const auto found = row.is_object() ? row.find(key) : row.end();
    return found != row.end() && found->is_number() ? found->get<std::int64_t>() : 0;
}

std::string textOf(const nlohmann::json& json, int indent) {
    return json.dump(indent, ' ', false, nlohmann::json::error_handler_t::replace);
}

} // namespace trainyard
