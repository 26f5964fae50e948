#pragma once

#include <string>
#include <vector>

namespace trainyard::cli {

/// A table of text with a head line; numbers align right. A value.
class Table {
public:
    enum class Align { Left, Right };
    struct Column {
        std::string title;
        Align align = Align::Left;
    };

    explicit Table(std::vector<Column> columns) : m_columns(std::move(columns)) {}
    /// As many cells as there are columns.
    void add(std::vector<std::string> cells) { m_rows.push_back(std::move(cells)); }
    bool isEmpty() const { return m_rows.empty(); }
    /// Two spaces between columns, no blanks at the ends of lines. Control characters are shown as spaces.
    std::string text() const;

private:
    std::vector<Column> m_columns;
    std::vector<std::vector<std::string>> m_rows;
};

} // namespace trainyard::cli
