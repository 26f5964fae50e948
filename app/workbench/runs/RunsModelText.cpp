// RunsModel: what stands in its cells and heads.
#include "app/workbench/runs/RunsModel.h"
#include "core/config/Schema.h"
#include "widgets/theme/Numbers.h"
#include "widgets/theme/StateLook.h"

#include <limits>

namespace trainyard {
namespace {

QString joined(const std::vector<std::string>& words) {
    QStringList list;
    for (const std::string& word : words)
        list << QString::fromStdString(word);
    return list.join(QStringLiteral(", "));
}

} // namespace

QString RunsModel::text(const RunRecord& run, int column) const {
    if (column >= ColumnCount)
        return m_values.text(run.id, m_more[column - ColumnCount]);
    switch (Column(column)) {
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
    case Group:
        return QString::fromStdString(run.group);
    case Notes:
        return QString::fromStdString(run.notes).section(QLatin1Char('\n'), 0, 0);
    case ColumnCount:
        break;
    }
    return {};
}

QVariant RunsModel::sortKey(const RunRecord& run, int column) const {
    if (column >= ColumnCount) {
        const auto number = m_values.number(run.id, m_more[column - ColumnCount]);
        return number ? QVariant(*number) : QVariant(text(run, column));
    }
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

QString RunsModel::tip(const RunRecord& run, int column) const {
    if (column >= ColumnCount)
        return m_values.exactText(run.id, m_more[column - ColumnCount]);
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
    case Notes:
        return QString::fromStdString(run.notes);
    default:
        return {};
    }
}

QVariant RunsModel::headerData(int section, Qt::Orientation orientation, int role) const {
    if (orientation != Qt::Horizontal || section >= columnCount())
        return {};
    if (role == Qt::TextAlignmentRole)
        return QVariant(Qt::AlignVCenter | (isNumber(section) ? Qt::AlignRight : Qt::AlignLeft));
    if (role == Qt::ToolTipRole && section >= ColumnCount) {
        const Field* field = Schema::instance().find(m_more[section - ColumnCount].toStdString());
        return field ? QString::fromStdString(field->help) : tr("In the newest evaluation of the run");
    }
    if (role != Qt::DisplayRole)
        return {};
    if (section >= ColumnCount)
        return m_more[section - ColumnCount];
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
    case Group:
        return tr("Group");
    case Notes:
        return tr("Notes");
    case ColumnCount:
        break;
    }
    return {};
}

} // namespace trainyard
