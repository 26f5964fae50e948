#include "app/workbench/runs/RunsModel.h"

#include "core/config/Schema.h"
#include "widgets/tables/StateDelegate.h"
#include "widgets/theme/Theme.h"

#include <QApplication>
#include <QPainter>
#include <QPixmap>

#include <algorithm>
#include <utility>

namespace trainyard {

QPixmap colourDot(std::int64_t colour) {
    const qreal ratio = qApp->devicePixelRatio();
    const int size = theme::quarter() * 3;
    QPixmap pixmap(QSize(size, size) * ratio);
    pixmap.setDevicePixelRatio(ratio);
    pixmap.fill(Qt::transparent);
    QPainter painter(&pixmap);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(Qt::NoPen);
    painter.setBrush(theme::seriesColour(int(colour), QApplication::palette()));
    painter.drawEllipse(QRectF(size * 0.15, size * 0.15, size * 0.7, size * 0.7));
    return pixmap;
}

namespace {

bool same(const RunRecord& a, const RunRecord& b) {
    return a.name == b.name && a.status == b.status && a.iteration == b.iteration && a.iterations == b.iterations &&
           a.loss == b.loss && a.seconds == b.seconds && a.bestMetric == b.bestMetric && a.tags == b.tags &&
           a.notes == b.notes && a.error == b.error && a.group == b.group && a.colour == b.colour &&
           a.isDeleted == b.isDeleted && a.updatedMicroseconds == b.updatedMicroseconds;
}

} // namespace

RunRecord RunsModel::asEngineKnows(RunRecord run, const EngineState& engine) {
    if (!engine.isBusy || engine.run != run.id)
        return run;
    run.status = engine.status;
    if (engine.step.iteration >= run.iteration && engine.step.iteration > 0) {
        run.iteration = engine.step.iteration;
        run.loss = engine.step.loss;
    }
    return run;
}

void RunsModel::setRuns(const std::vector<RunRecord>& runs, const EngineState& engine) {
    if (m_runs.empty() && runs.size() > 1) { // thousands at once
        beginResetModel();
        for (const RunRecord& record : runs)
            m_runs.push_back(asEngineKnows(record, engine));
        endResetModel();
        return;
    }
    QSet<qint64> ids;
    for (const RunRecord& run : runs)
        ids.insert(run.id);
    for (int row = int(m_runs.size()) - 1; row >= 0; --row) {
        if (ids.contains(m_runs[std::size_t(row)].id))
            continue;
        beginRemoveRows({}, row, row);
        m_runs.erase(m_runs.begin() + row);
        endRemoveRows();
    }
    for (const RunRecord& record : runs) {
        const RunRecord run = asEngineKnows(record, engine);
        const int row = rowOf(run.id);
        if (row < 0) {
            // numbers rise: a restored run goes back to its place
            const auto place = std::lower_bound(m_runs.begin(), m_runs.end(), run.id,
                                                [](const RunRecord& each, std::int64_t id) { return each.id < id; });
            const int at = int(place - m_runs.begin());
            beginInsertRows({}, at, at);
            m_runs.insert(place, run);
            endInsertRows();
        } else if (!same(m_runs[std::size_t(row)], run)) {
            // texts that stay are left alone: someone may be typing a new one while the numbers move
            const RunRecord before = std::exchange(m_runs[std::size_t(row)], run);
            const bool isRenamed = before.name != run.name || before.colour != run.colour;
            const bool isNoted = before.tags != run.tags || before.group != run.group || before.notes != run.notes;
            Q_EMIT dataChanged(index(row, isRenamed ? Name : Name + 1), index(row, isNoted ? Notes : Model));
        }
    }
}

const RunRecord* RunsModel::runAt(int row) const {
    return row >= 0 && row < int(m_runs.size()) ? &m_runs[std::size_t(row)] : nullptr;
}

int RunsModel::rowOf(std::int64_t run) const {
    const auto at = std::lower_bound(m_runs.begin(), m_runs.end(), run,
                                     [](const RunRecord& each, std::int64_t id) { return each.id < id; });
    return at == m_runs.end() || at->id != run ? -1 : int(at - m_runs.begin());
}

void RunsModel::setTicked(const QSet<qint64>& runs) {
    m_ticked = runs;
    if (!m_runs.empty())
        Q_EMIT dataChanged(index(0, Name), index(int(m_runs.size()) - 1, Name), {Qt::CheckStateRole});
    Q_EMIT tickedChanged();
}

int RunsModel::rowCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : int(m_runs.size());
}

int RunsModel::columnCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : ColumnCount + int(m_more.size());
}

void RunsModel::setMoreColumns(const QStringList& names) {
    for (int at = int(m_more.size()) - 1; at >= 0; --at) {
        if (names.contains(m_more[at]))
            continue;
        beginRemoveColumns({}, ColumnCount + at, ColumnCount + at);
        m_more.removeAt(at);
        endRemoveColumns();
    }
    for (const QString& name : names) {
        if (m_more.contains(name))
            continue;
        const int at = columnCount();
        beginInsertColumns({}, at, at);
        m_more << name;
        endInsertColumns();
    }
}

void RunsModel::setValues(const RunValues& values) {
    m_values = values;
    if (!m_runs.empty() && !m_more.isEmpty())
        Q_EMIT dataChanged(index(0, ColumnCount), index(int(m_runs.size()) - 1, columnCount() - 1));
}

QVariant RunsModel::data(const QModelIndex& index, int role) const {
    const RunRecord* run = runAt(index.row());
    if (!run)
        return {};
    const int column = index.column();
    switch (role) {
    case Qt::DisplayRole:
        return text(*run, column);
    case Qt::EditRole:
        return !isText(column)   ? QVariant()
               : column == Name  ? QVariant(QString::fromStdString(run->name))
               : column == Notes ? QVariant(QString::fromStdString(run->notes))
                                 : QVariant(text(*run, column));
    case Qt::ToolTipRole:
        return tip(*run, column);
    case Qt::TextAlignmentRole:
        return QVariant(Qt::AlignVCenter | (isNumber(column) ? Qt::AlignRight : Qt::AlignLeft));
    case Qt::CheckStateRole:
        return column == Name ? QVariant(m_ticked.contains(run->id) ? Qt::Checked : Qt::Unchecked) : QVariant();
    case Qt::DecorationRole:
        return column == Name ? QVariant(colourDot(run->colour)) : QVariant();
    case StateDelegate::StatusRole:
        return column == State ? QVariant(int(run->status)) : QVariant();
    case SortRole:
        return sortKey(*run, column);
    case RunRole:
        return qlonglong(run->id);
    case Qt::AccessibleTextRole:
        return tr("%1: %2").arg(headerData(column, Qt::Horizontal, Qt::DisplayRole).toString(), text(*run, column));
    default:
        return {};
    }
}

bool RunsModel::setData(const QModelIndex& index, const QVariant& value, int role) {
    const RunRecord* run = runAt(index.row());
    if (!run || !isText(index.column()))
        return false;
    if (role == Qt::CheckStateRole && index.column() == Name) {
        if (value.toInt() == Qt::Checked)
            m_ticked.insert(run->id);
        else
            m_ticked.remove(run->id);
        Q_EMIT dataChanged(index, index);
        Q_EMIT tickedChanged();
        return true;
    }
    const QString said = value.toString().trimmed();
    if (role != Qt::EditRole || said == data(index, Qt::EditRole).toString())
        return false;
    if (index.column() != Name)
        Q_EMIT textAsked(run->id, Column(index.column()), said);
    else if (said.isEmpty())
        return false;
    else
        Q_EMIT renameAsked(run->id, said);
    return true;
}

bool RunsModel::isText(int column) {
    return column == Name || column == Tags || column == Group || column == Notes;
}

bool RunsModel::isNumber(int column) const {
    if (column < ColumnCount)
        return column >= Progress && column <= Time;
    const QString& name = m_more[column - ColumnCount];
    const Field* field = Schema::instance().find(name.toStdString());
    return !field || field->type == FieldType::Integer || field->type == FieldType::Real;
}

Qt::ItemFlags RunsModel::flags(const QModelIndex& index) const {
    Qt::ItemFlags flags = QAbstractTableModel::flags(index);
    if (index.isValid() && index.column() == Name)
        flags |= Qt::ItemIsUserCheckable;
    if (index.isValid() && isText(index.column()) && !m_isReadOnly)
        flags |= Qt::ItemIsEditable;
    return flags;
}

} // namespace trainyard
