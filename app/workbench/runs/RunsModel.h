#pragma once

#include "app/workbench/RunView.h"

#include <QAbstractTableModel>
#include <QSet>
#include <QSortFilterProxyModel>

namespace trainyard {

/// The project's runs, a row each. Ticks say which are drawn in the comparison; a name can be edited, the change is
/// asked for by signal. UI thread only.
class RunsModel final : public QAbstractTableModel {
    Q_OBJECT
public:
    enum Column { Name, State, Progress, Loss, Metric, Time, Created, Model, Tags, ColumnCount };
    static constexpr int SortRole = Qt::UserRole + 1; ///< numbers as numbers
    static constexpr int RunRole = Qt::UserRole + 2;  ///< the run's number

    using QAbstractTableModel::QAbstractTableModel;

    /// Keeps rows that stay, so that selection and ticks stay too.
    void setRuns(const std::vector<RunRecord>& runs, const EngineState& engine);
    const RunRecord* runAt(int row) const;
    int rowOf(std::int64_t run) const;
    const QSet<qint64>& ticked() const { return m_ticked; }
    void setTicked(const QSet<qint64>& runs);
    void setReadOnly(bool isReadOnly) { m_isReadOnly = isReadOnly; }

    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role) const override;
    bool setData(const QModelIndex& index, const QVariant& value, int role) override;
    Qt::ItemFlags flags(const QModelIndex& index) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

Q_SIGNALS:
    void tickedChanged();
    void renameAsked(qint64 run, const QString& name);

private:
    QString text(const RunRecord& run, Column column) const;
    QVariant sortKey(const RunRecord& run, Column column) const;
    QString tip(const RunRecord& run, Column column) const;

    std::vector<RunRecord> m_runs;
    QSet<qint64> m_ticked;
    bool m_isReadOnly = false;
};

/// Rows whose name, state, model, tags or notes hold every word of the filter, and whose state is the one chosen.
class RunsFilter final : public QSortFilterProxyModel {
    Q_OBJECT
public:
    enum class Kind { All, Active, Finished, Unfinished };
    explicit RunsFilter(QObject* parent = nullptr);
    void setWords(const QString& words);
    void setKind(Kind kind);

protected:
    bool filterAcceptsRow(int row, const QModelIndex& parent) const override;

private:
    QStringList m_words;
    Kind m_kind = Kind::All;
};

} // namespace trainyard
