#include "app/workbench/runs/RunsModel.h"

#include "widgets/tables/StateDelegate.h"
#include "widgets/theme/Numbers.h"
#include "widgets/theme/StateLook.h"

#include <QApplication>
#include <QPainter>
#include <QPixmap>

#include <algorithm>

namespace trainyard {
namespace {

QString joined(const std::vector<std::string>& words) {
    QStringList list;
    for (const std::string& word : words)
        list << QString::fromStdString(word);
    return list.join(QStringLiteral(", "));
}

/// The run's colour as a dot beside its name.
QPixmap dot(std::int64_t colour) {
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

bool same(const RunRecord& a, const RunRecord& b) {
    return a.name == b.name && a.status == b.status && a.iteration == b.iteration && a.iterations == b.iterations &&
           a.loss == b.loss && a.seconds == b.seconds && a.bestMetric == b.bestMetric && a.tags == b.tags &&
           a.notes == b.notes && a.error == b.error && a.updatedMicroseconds == b.updatedMicroseconds;
}

} // namespace

void RunsModel::setRuns(const std::vector<RunRecord>& runs, const EngineState& engine) {
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
        RunRecord run = record;
        if (engine.isBusy && engine.run == run.id) {
            run.status = engine.status;
            if (engine.step.iteration >= run.iteration && engine.step.iteration > 0) {
                run.iteration = engine.step.iteration;
                run.loss = engine.step.loss;
            }
        }
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
            // a name that stays is left alone: someone may be typing a new one while the numbers move
            const bool isRenamed = m_runs[std::size_t(row)].name != run.name;
            m_runs[std::size_t(row)] = run;
            Q_EMIT dataChanged(index(row, isRenamed ? Name : Name + 1), index(row, ColumnCount - 1));
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
    return parent.isValid() ? 0 : ColumnCount;
}

QString RunsModel::text(const RunRecord& run, Column column) const {
    switch (column) {
    case Name:
        return runTitle(run);
    case State:
        return theme::stateLook(run.status).word;
    case Progress:
        return tr("%1 / %2").arg(theme::countText(run.iteration), theme::countText(run.iterations));
    case Loss:
        return run.iteration > 0 ? theme::valueText(run.loss) : QString();
    case Metric:
        return run.bestMetric ? theme::valueText(*run.bestMetric) : QString();
    case Time:
        return run.seconds > 0 ? theme::durationText(run.seconds) : QString();
    case Created:
        return theme::whenText(run.createdMicroseconds);
    case Model:
        return QString::fromStdString(run.modelType);
    case Tags:
        return joined(run.tags);
    case ColumnCount:
        break;
    }
    return {};
}

QVariant RunsModel::sortKey(const RunRecord& run, Column column) const {
    switch (column) {
    case Progress:
        return run.iterations > 0 ? double(run.iteration) / double(run.iterations) : 0.0;
    case Loss:
        return run.iteration > 0 ? run.loss : std::numeric_limits<double>::max();
    case Metric:
        return run.bestMetric.value_or(-1);
    case Time:
        return run.seconds;
    case Created:
        return qlonglong(run.createdMicroseconds);
    case State:
        return int(run.status);
    default:
        return text(run, column);
    }
}

QString RunsModel::tip(const RunRecord& run, Column column) const {
    switch (column) {
    case State:
        return run.error.empty() ? theme::stateLook(run.status).meaning : QString::fromStdString(run.error);
    case Loss:
        return run.iteration > 0 ? theme::exactText(run.loss) : QString();
    case Metric:
        return run.bestMetric ? QStringLiteral("%1 %2").arg(QString::fromStdString(run.bestMetricName),
                                                            theme::exactText(*run.bestMetric))
                              : QString();
    case Name:
        return run.notes.empty() ? QString::fromStdString(run.folder) : QString::fromStdString(run.notes);
    default:
        return {};
    }
}

QVariant RunsModel::data(const QModelIndex& index, int role) const {
    const RunRecord* run = runAt(index.row());
    if (!run)
        return {};
    const auto column = Column(index.column());
    switch (role) {
    case Qt::DisplayRole:
        return text(*run, column);
    case Qt::EditRole:
        return column == Name ? QVariant(QString::fromStdString(run->name)) : QVariant();
    case Qt::ToolTipRole:
        return tip(*run, column);
    case Qt::TextAlignmentRole:
        return QVariant(Qt::AlignVCenter | (column >= Progress && column <= Time ? Qt::AlignRight : Qt::AlignLeft));
    case Qt::CheckStateRole:
        return column == Name ? QVariant(m_ticked.contains(run->id) ? Qt::Checked : Qt::Unchecked) : QVariant();
    case Qt::DecorationRole:
        return column == Name && m_ticked.contains(run->id) ? QVariant(dot(run->colour)) : QVariant();
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
    if (!run || index.column() != Name)
        return false;
    if (role == Qt::CheckStateRole) {
        if (value.toInt() == Qt::Checked)
            m_ticked.insert(run->id);
        else
            m_ticked.remove(run->id);
        Q_EMIT dataChanged(index, index);
        Q_EMIT tickedChanged();
        return true;
    }
    const QString name = value.toString().trimmed();
    if (role != Qt::EditRole || name.isEmpty() || name == QString::fromStdString(run->name))
        return false;
    Q_EMIT renameAsked(run->id, name);
    return true;
}

Qt::ItemFlags RunsModel::flags(const QModelIndex& index) const {
    Qt::ItemFlags flags = QAbstractTableModel::flags(index);
    if (index.isValid() && index.column() == Name) {
        flags |= Qt::ItemIsUserCheckable;
        if (!m_isReadOnly)
            flags |= Qt::ItemIsEditable;
    }
    return flags;
}

QVariant RunsModel::headerData(int section, Qt::Orientation orientation, int role) const {
    if (orientation != Qt::Horizontal || section >= ColumnCount)
        return {};
    if (role == Qt::TextAlignmentRole)
        return QVariant(Qt::AlignVCenter | (section >= Progress && section <= Time ? Qt::AlignRight : Qt::AlignLeft));
    if (role != Qt::DisplayRole)
        return {};
    switch (Column(section)) {
    case Name:
        return tr("Run");
    case State:
        return tr("State");
    case Progress:
        return tr("Iterations");
    case Loss:
        return tr("Loss");
    case Metric:
        return tr("Best metric");
    case Time:
        return tr("Trained for");
    case Created:
        return tr("Made");
    case Model:
        return tr("Model");
    case Tags:
        return tr("Tags");
    case ColumnCount:
        break;
    }
    return {};
}

RunsFilter::RunsFilter(QObject* parent) : QSortFilterProxyModel(parent) {
    setSortRole(RunsModel::SortRole);
    setSortCaseSensitivity(Qt::CaseInsensitive);
    setDynamicSortFilter(true);
}

void RunsFilter::setWords(const QString& words) {
    m_words = words.split(QLatin1Char(' '), Qt::SkipEmptyParts);
    invalidateFilter();
}

void RunsFilter::setKind(Kind kind) {
    m_kind = kind;
    invalidateFilter();
}

bool RunsFilter::filterAcceptsRow(int row, const QModelIndex&) const {
    const auto* model = qobject_cast<const RunsModel*>(sourceModel());
    const RunRecord* run = model ? model->runAt(row) : nullptr;
    if (!run)
        return false;
    const bool isFinished = run->status == RunStatus::Finished;
    const bool isActive = run->status == RunStatus::Preparing || run->status == RunStatus::Running ||
                          run->status == RunStatus::Paused || run->status == RunStatus::Stopping;
    if ((m_kind == Kind::Finished && !isFinished) || (m_kind == Kind::Active && !isActive) ||
        (m_kind == Kind::Unfinished && (isFinished || isActive)))
        return false;
    const QString all =
        QStringList{runTitle(*run), theme::stateLook(run->status).word, QString::fromStdString(run->modelType),
                    joined(run->tags), QString::fromStdString(run->notes)}
            .join(QLatin1Char('\n'));
    return std::all_of(m_words.begin(), m_words.end(),
                       [&](const QString& word) { return all.contains(word, Qt::CaseInsensitive); });
}

} // namespace trainyard
