#include "app/workbench/checkpoints/CheckpointsModel.h"

#include "widgets/theme/Numbers.h"
#include "widgets/theme/Theme.h"

#include <QApplication>

#include <algorithm>

namespace trainyard {
namespace {

bool same(const CheckpointRecord& a, const CheckpointRecord& b) {
    return a.isPinned == b.isPinned && a.isBest == b.isBest && a.isFinal == b.isFinal &&
           a.isAbandoned == b.isAbandoned && a.isMissing == b.isMissing && a.metric == b.metric &&
           a.report.bytes == b.report.bytes && a.report.iteration == b.report.iteration;
}

} // namespace

void CheckpointsModel::setCheckpoints(const std::vector<CheckpointRecord>& checkpoints, const QString& metricName) {
    if (m_metricName != metricName) {
        m_metricName = metricName;
        Q_EMIT headerDataChanged(Qt::Horizontal, Metric, Metric);
    }
    const auto has = [&](std::int64_t id) {
        return std::any_of(checkpoints.begin(), checkpoints.end(), [&](const auto& each) { return each.id == id; });
    };
    for (int row = int(m_checkpoints.size()) - 1; row >= 0; --row) {
        if (has(m_checkpoints[std::size_t(row)].id))
            continue;
        beginRemoveRows({}, row, row);
        m_checkpoints.erase(m_checkpoints.begin() + row);
        endRemoveRows();
    }
    for (const CheckpointRecord& checkpoint : checkpoints) {
        const int row = rowOf(checkpoint.id);
        if (row < 0) {
            const auto place = std::find_if(m_checkpoints.begin(), m_checkpoints.end(),
                                            [&](const auto& each) { return each.id > checkpoint.id; });
            const int where = int(place - m_checkpoints.begin());
            beginInsertRows({}, where, where);
            m_checkpoints.insert(place, checkpoint);
            endInsertRows();
        } else if (!same(m_checkpoints[std::size_t(row)], checkpoint)) {
            m_checkpoints[std::size_t(row)] = checkpoint;
            Q_EMIT dataChanged(index(row, 0), index(row, ColumnCount - 1));
        }
    }
}

const CheckpointRecord* CheckpointsModel::at(int row) const {
    return row >= 0 && row < int(m_checkpoints.size()) ? &m_checkpoints[std::size_t(row)] : nullptr;
}

int CheckpointsModel::rowOf(std::int64_t id) const {
    const auto found =
        std::find_if(m_checkpoints.begin(), m_checkpoints.end(), [&](const auto& each) { return each.id == id; });
    return found == m_checkpoints.end() ? -1 : int(found - m_checkpoints.begin());
}

int CheckpointsModel::rowCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : int(m_checkpoints.size());
}

int CheckpointsModel::columnCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : ColumnCount;
}

QString CheckpointsModel::text(const CheckpointRecord& checkpoint, Column column) const {
    switch (column) {
    case Iteration:
        return theme::countText(checkpoint.report.iteration);
    case Marks: {
        QStringList marks;
        if (checkpoint.isBest)
            marks << tr("★ best");
        if (checkpoint.isFinal)
            marks << tr("final");
        if (checkpoint.isPinned)
            marks << tr("pinned");
        return marks.join(QStringLiteral(" · "));
    }
    case Metric:
        return checkpoint.metric ? theme::valueText(*checkpoint.metric) : QString();
    case Made:
        return theme::whenText(checkpoint.report.wallMicroseconds);
    case Size:
        return theme::bytesText(checkpoint.report.bytes);
    case State:
        return checkpoint.isMissing ? tr("missing") : checkpoint.isAbandoned ? tr("abandoned tail") : tr("good");
    case Path:
        return QString::fromStdString(checkpoint.report.path);
    case ColumnCount:
        break;
    }
    return {};
}

QVariant CheckpointsModel::sortKey(const CheckpointRecord& checkpoint, Column column) const {
    switch (column) {
    case Iteration:
        return qlonglong(checkpoint.report.iteration);
    case Metric:
        return checkpoint.metric.value_or(-1);
    case Made:
        return qlonglong(checkpoint.report.wallMicroseconds);
    case Size:
        return qlonglong(checkpoint.report.bytes);
    default:
        return text(checkpoint, column);
    }
}

QString CheckpointsModel::tip(const CheckpointRecord& checkpoint, Column column) const {
    if (column == Metric && checkpoint.metric)
        return QStringLiteral("%1 %2").arg(m_metricName, theme::exactText(*checkpoint.metric));
    if (column == State && checkpoint.isMissing)
        return tr("The file is gone from the run's folder; nothing else is harmed.");
    if (column == State && checkpoint.isAbandoned)
        return tr("The run was resumed from an older checkpoint; this one lies on the tail left behind.");
    return {};
}

QVariant CheckpointsModel::data(const QModelIndex& index, int role) const {
    const CheckpointRecord* checkpoint = at(index.row());
    if (!checkpoint)
        return {};
    const auto column = Column(index.column());
    const bool isNumber = column == Iteration || column == Metric || column == Size;
    switch (role) {
    case Qt::DisplayRole:
        return text(*checkpoint, column);
    case Qt::TextAlignmentRole:
        return QVariant(Qt::AlignVCenter | (isNumber ? Qt::AlignRight : Qt::AlignLeft));
    case Qt::ToolTipRole:
        return tip(*checkpoint, column);
    case Qt::ForegroundRole:
        return checkpoint->isMissing || checkpoint->isAbandoned
                   ? QVariant(QBrush(theme::dimText(QApplication::palette())))
                   : QVariant();
    case SortRole:
        return sortKey(*checkpoint, column);
    case IdRole:
        return qlonglong(checkpoint->id);
    default:
        return {};
    }
}

QVariant CheckpointsModel::headerData(int section, Qt::Orientation orientation, int role) const {
    if (orientation != Qt::Horizontal || section >= ColumnCount)
        return {};
    if (role == Qt::TextAlignmentRole) {
        const bool isNumber = section == Iteration || section == Metric || section == Size;
        return QVariant(Qt::AlignVCenter | (isNumber ? Qt::AlignRight : Qt::AlignLeft));
    }
    if (role != Qt::DisplayRole)
        return {};
    switch (Column(section)) {
    case Iteration:
        return tr("Iteration");
    case Marks:
        return tr("Marks");
    case Metric:
        return m_metricName.isEmpty() ? tr("Metric") : m_metricName;
    case Made:
        return tr("Made");
    case Size:
        return tr("Size");
    case State:
        return tr("State");
    case Path:
        return tr("File");
    case ColumnCount:
        break;
    }
    return {};
}

} // namespace trainyard
