#pragma once

#include "app/workbench/log/LogEntries.h"

#include <QAbstractTableModel>
#include <QSortFilterProxyModel>

namespace trainyard {

/// The log as a table, oldest first: what happened to the shown run, and what the program had to say meanwhile. UI
/// thread only.
class LogModel final : public QAbstractTableModel {
    Q_OBJECT
public:
    enum Column { Time, Iteration, Kind, Text, ColumnCount };
    static constexpr int KindRole = Qt::UserRole + 1;

    using QAbstractTableModel::QAbstractTableModel;

    /// All of the shown run's lines; those of another run give way.
    void setRunEntries(const std::vector<LogEntry>& entries);
    /// A line of the program itself; the oldest of many are forgotten.
    void add(const LogEntry& entry);
    const std::vector<LogEntry>& entries() const { return m_entries; }

    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

private:
    void show(std::vector<LogEntry> entries);

    std::vector<LogEntry> m_run, m_program, m_entries;
};

/// Lines whose text or kind holds every word, of the kinds that are wanted. UI thread only.
class LogFilter final : public QSortFilterProxyModel {
    Q_OBJECT
public:
    enum Choice { Everything, Trouble, Milestones };
    using QSortFilterProxyModel::QSortFilterProxyModel;
    void setWords(const QString& words);
    void setChoice(Choice choice);

protected:
    bool filterAcceptsRow(int row, const QModelIndex& parent) const override;

private:
    QStringList m_words;
    Choice m_choice = Everything;
};

} // namespace trainyard
