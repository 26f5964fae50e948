#pragma once

#include "app/workbench/data/DataSource.h"

#include <QAbstractTableModel>

namespace trainyard {

/// What is wrong with the data, the gravest first. UI thread only.
class ProblemsModel final : public QAbstractTableModel {
    Q_OBJECT
public:
    enum Column { Picture, What, Count };

    explicit ProblemsModel(const DataSource& source, QObject* parent = nullptr);
    void refresh();
    const ProblemPlace& at(int row) const { return m_source.problems().at(std::size_t(row)); }

    int rowCount(const QModelIndex& parent = {}) const override { return parent.isValid() ? 0 : m_rows; }
    int columnCount(const QModelIndex& parent = {}) const override { return parent.isValid() ? 0 : int(Count); }
    QVariant data(const QModelIndex& index, int role = Qt::DisplayRole) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role = Qt::DisplayRole) const override;

private:
    const DataSource& m_source;
    int m_rows = 0;
};

} // namespace trainyard
