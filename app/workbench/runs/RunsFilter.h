#pragma once

#include "app/workbench/runs/RunQuery.h"

#include <QSortFilterProxyModel>

namespace trainyard {

/// The rows that the filter line and the chosen state let through. Deleted runs show only among the deleted. UI thread
/// only.
class RunsFilter final : public QSortFilterProxyModel {
    Q_OBJECT
public:
    enum class Kind { All, Active, Finished, Unfinished, Deleted };
    explicit RunsFilter(QObject* parent = nullptr);
    void setWords(const QString& words);
    /// After values came: reads the words anew.
    void update() { setWords(m_words); }
    const RunQuery& query() const { return m_query; }
    void setKind(Kind kind);
    Kind kind() const { return m_kind; }

protected:
    bool filterAcceptsRow(int row, const QModelIndex& parent) const override;
    bool lessThan(const QModelIndex& left, const QModelIndex& right) const override;

private:
    QString m_words;
    RunQuery m_query;
    Kind m_kind = Kind::All;
};

} // namespace trainyard
