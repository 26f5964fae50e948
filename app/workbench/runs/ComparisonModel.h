#pragma once

#include "app/workbench/runs/ComparisonRows.h"

#include <QAbstractTableModel>

namespace trainyard {

/// Facts about compared runs, a row each and a column a run; what is not the same everywhere stands out. UI thread
/// only.
class ComparisonModel final : public QAbstractTableModel {
    Q_OBJECT
public:
    using QAbstractTableModel::QAbstractTableModel;

    /// `titles` are the runs', in the order of the rows' values.
    void setRows(const QStringList& titles, std::vector<ComparisonRow> rows);
    /// Only what differs, or everything.
    void setShowsAll(bool showsAll);
    bool hasHidden() const { return m_shown.size() < m_rows.size(); }

    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

private:
    std::vector<std::size_t> shownOf(const std::vector<ComparisonRow>& rows) const;

    QStringList m_titles;
    std::vector<ComparisonRow> m_rows;
    std::vector<std::size_t> m_shown; ///< of `m_rows`
    bool m_showsAll = false;
};

} // namespace trainyard
