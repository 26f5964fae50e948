#pragma once

#include "app/workbench/RunView.h"
#include "app/workbench/runs/RunValues.h"

#include <QAbstractTableModel>
#include <QPixmap>
#include <QSet>
#include <QStringList>

namespace trainyard {

/// The colour of a run's curves as a dot, for beside its name.
QPixmap colourDot(std::int64_t colour);

/// The project's runs, a row each. Ticks say which are drawn in the comparison; name, tags, group and notes can be
/// edited, the change is asked for by signal. Behind its own columns stand those that a person chose: metrics and keys
/// of the configuration. UI thread only.
class RunsModel final : public QAbstractTableModel {
    Q_OBJECT
public:
    enum Column { Name, State, Progress, Loss, Metric, Time, Created, Model, Tags, Group, Notes, ColumnCount };
    static constexpr int SortRole = Qt::UserRole + 1; ///< numbers as numbers
    static constexpr int RunRole = Qt::UserRole + 2;  ///< the run's number

    using QAbstractTableModel::QAbstractTableModel;

    /// Keeps rows that stay, so that selection and ticks stay too.
    void setRuns(const std::vector<RunRecord>& runs, const EngineState& engine);
    const RunRecord* runAt(int row) const;
    int rowOf(std::int64_t run) const;
    const QSet<qint64>& ticked() const { return m_ticked; }
    void setTicked(const QSet<qint64>& runs);
    /// Names of metrics and of keys, a column each behind the others.
    void setMoreColumns(const QStringList& names);
    const QStringList& moreColumns() const { return m_more; }
    void setValues(const RunValues& values);
    const RunValues& values() const { return m_values; }
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
    void textAsked(qint64 run, trainyard::RunsModel::Column column, const QString& text); ///< tags, group or notes

private:
    static RunRecord asEngineKnows(RunRecord run, const EngineState& engine);
    static bool isText(int column);
    bool isNumber(int column) const;
    QString text(const RunRecord& run, int column) const;
    QVariant sortKey(const RunRecord& run, int column) const;
    QString tip(const RunRecord& run, int column) const;

    std::vector<RunRecord> m_runs;
    QSet<qint64> m_ticked;
    QStringList m_more;
    RunValues m_values;
    bool m_isReadOnly = false;
};

} // namespace trainyard
