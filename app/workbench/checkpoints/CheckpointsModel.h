#pragma once

#include "core/project/Project.h"

#include <QAbstractTableModel>
#include <QSortFilterProxyModel>

#include <vector>

namespace trainyard {

/// The checkpoints of the shown run, a row each. UI thread only.
class CheckpointsModel final : public QAbstractTableModel {
    Q_OBJECT
public:
    enum Column { Iteration, Marks, Metric, Made, Size, State, Path, ColumnCount };
    static constexpr int SortRole = Qt::UserRole + 1;
    static constexpr int IdRole = Qt::UserRole + 2;

    using QAbstractTableModel::QAbstractTableModel;

    /// `metricName` stands in the header of the metric ("word_accuracy").
    void setCheckpoints(const std::vector<CheckpointRecord>& checkpoints, const QString& metricName);
    const CheckpointRecord* at(int row) const;
    const std::vector<CheckpointRecord>& checkpoints() const { return m_checkpoints; }
    int rowOf(std::int64_t id) const;

    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

private:
    QString text(const CheckpointRecord& checkpoint, Column column) const;
    QVariant sortKey(const CheckpointRecord& checkpoint, Column column) const;
    QString tip(const CheckpointRecord& checkpoint, Column column) const;

    std::vector<CheckpointRecord> m_checkpoints;
    QString m_metricName;
};

} // namespace trainyard
