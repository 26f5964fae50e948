#include "app/workbench/runs/ComparisonModel.h"

#include <QFont>

namespace trainyard {

/// Numbers of runs that train move on: then the rows stay, with what is selected and where one has scrolled to.
void ComparisonModel::setRows(const QStringList& titles, std::vector<ComparisonRow> rows) {
    if (titles == m_titles && rows == m_rows)
        return;
    const auto shown = shownOf(rows);
    if (titles == m_titles && shown == m_shown && rows.size() == m_rows.size() && !shown.empty()) {
        m_rows = std::move(rows);
        Q_EMIT dataChanged(index(0, 0), index(rowCount() - 1, columnCount() - 1));
        return;
    }
    beginResetModel();
    m_titles = titles;
    m_rows = std::move(rows);
    m_shown = shown;
    endResetModel();
}

void ComparisonModel::setShowsAll(bool showsAll) {
    beginResetModel();
    m_showsAll = showsAll;
    m_shown = shownOf(m_rows);
    endResetModel();
}

std::vector<std::size_t> ComparisonModel::shownOf(const std::vector<ComparisonRow>& rows) const {
    std::vector<std::size_t> shown;
    for (std::size_t row = 0; row < rows.size(); ++row)
        if (m_showsAll || rows[row].isDifferent)
            shown.push_back(row);
    return shown;
}

int ComparisonModel::rowCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : int(m_shown.size());
}

int ComparisonModel::columnCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : 1 + int(m_titles.size());
}

QVariant ComparisonModel::data(const QModelIndex& index, int role) const {
    if (!index.isValid() || index.row() >= rowCount())
        return {};
    const ComparisonRow& row = m_rows[m_shown[std::size_t(index.row())]];
    const int run = index.column() - 1;
    if (role == Qt::DisplayRole)
        return run < 0 ? row.name : row.values.value(run);
    if (role == Qt::ToolTipRole)
        return run < 0 ? row.help : row.values.value(run);
    if (role == Qt::AccessibleTextRole)
        return run < 0 ? row.name : tr("%1 of %2: %3").arg(row.name, m_titles.value(run), row.values.value(run));
    if (role == Qt::FontRole && m_showsAll && row.isDifferent && run >= 0) {
        QFont strong;
        strong.setWeight(QFont::DemiBold);
        return strong;
    }
    return {};
}

QVariant ComparisonModel::headerData(int section, Qt::Orientation orientation, int role) const {
    if (orientation != Qt::Horizontal || (role != Qt::DisplayRole && role != Qt::ToolTipRole))
        return {};
    return section == 0 ? QVariant(role == Qt::DisplayRole ? tr("Key") : QString())
                        : QVariant(m_titles.value(section - 1));
}

} // namespace trainyard
