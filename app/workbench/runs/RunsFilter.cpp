#include "app/workbench/runs/RunsFilter.h"

#include "app/workbench/runs/RunsModel.h"

namespace trainyard {

RunsFilter::RunsFilter(QObject* parent) : QSortFilterProxyModel(parent) {
    setSortRole(RunsModel::SortRole);
    setSortCaseSensitivity(Qt::CaseInsensitive);
    setDynamicSortFilter(true);
}

void RunsFilter::setWords(const QString& words) {
    m_words = words;
    const auto* model = qobject_cast<const RunsModel*>(sourceModel());
    m_query = RunQuery::parse(words, model ? model->values() : RunValues(), QDateTime::currentDateTime());
    invalidateFilter();
}

void RunsFilter::setKind(Kind kind) {
    m_kind = kind;
    invalidateFilter();
}

bool RunsFilter::filterAcceptsRow(int row, const QModelIndex&) const {
    const auto* model = qobject_cast<const RunsModel*>(sourceModel());
    const RunRecord* run = model ? model->runAt(row) : nullptr;
    if (!run || run->isDeleted != (m_kind == Kind::Deleted))
        return false;
    const bool isFinished = run->status == RunStatus::Finished;
    const bool isActive = run->status == RunStatus::Preparing || run->status == RunStatus::Running ||
                          run->status == RunStatus::Paused || run->status == RunStatus::Stopping;
    if ((m_kind == Kind::Finished && !isFinished) || (m_kind == Kind::Active && !isActive) ||
        (m_kind == Kind::Unfinished && (isFinished || isActive)))
        return false;
    return m_query.matches(*run, model->values());
}

/// Rows without a value stand behind those with one, however they are sorted.
bool RunsFilter::lessThan(const QModelIndex& left, const QModelIndex& right) const {
    const QVariant a = left.data(sortRole()), b = right.data(sortRole());
    const bool hasA = !a.toString().isEmpty(), hasB = !b.toString().isEmpty();
    if (hasA != hasB)
        return hasA == (sortOrder() == Qt::AscendingOrder);
    return QSortFilterProxyModel::lessThan(left, right);
}

} // namespace trainyard
