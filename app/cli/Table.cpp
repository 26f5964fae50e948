#include "app/cli/Table.h"

#include "app/cli/Format.h"

#include <algorithm>

namespace trainyard::cli {

namespace {
std::string oneLine(std::string text) {
    for (char& byte : text)
        if (static_cast<unsigned char>(byte) < 0x20 || byte == 0x7f)
            byte = ' ';
    return text;
}

void appendCell(std::string& line, const std::string& cell, std::size_t width, Table::Align align) {
    const std::size_t shown = shownWidth(cell);
    const std::string blanks(width > shown ? width - shown : 0, ' ');
    line += align == Table::Align::Right ? blanks + cell : cell + blanks;
}
} // namespace

std::string Table::text() const {
    std::vector<std::vector<std::string>> lines(1);
    for (const Column& column : m_columns)
        lines.front().push_back(column.title);
    for (const auto& row : m_rows) {
        lines.emplace_back();
        for (const std::string& cell : row)
            lines.back().push_back(oneLine(cell));
    }
    std::vector<std::size_t> widths(m_columns.size(), 0);
    for (const auto& cells : lines)
        for (std::size_t i = 0; i < cells.size(); ++i)
            widths[i] = std::max(widths[i], shownWidth(cells[i]));

    std::string text;
    for (const auto& cells : lines) {
        std::string line;
        for (std::size_t i = 0; i < cells.size(); ++i) {
            if (i > 0)
                line += "  ";
            appendCell(line, cells[i], widths[i], m_columns[i].align);
        }
        line.erase(line.find_last_not_of(' ') + 1);
        text += line + "\n";
    }
    return text;
}

} // namespace trainyard::cli
