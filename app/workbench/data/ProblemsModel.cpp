#include "app/workbench/data/ProblemsModel.h"

#include "widgets/theme/Icon.h"

namespace trainyard {

ProblemsModel::ProblemsModel(const DataSource& source, QObject* parent)
    : QAbstractTableModel(parent), m_source(source) {
    connect(&source, &DataSource::problemsChanged, this, &ProblemsModel::refresh);
    connect(&source, &DataSource::opened, this, &ProblemsModel::refresh);
}

void ProblemsModel::refresh() {
    beginResetModel();
    m_rows = int(m_source.problems().size());
    endResetModel();
}

QVariant ProblemsModel::data(const QModelIndex& index, int role) const {
    if (!index.isValid() || std::size_t(index.row()) >= m_source.problems().size())
        return {};
    const DataProblem& problem = at(index.row()).problem;
    const QString sample = QString::fromStdString(problem.sample);
    const bool isError = problem.severity == DataProblem::Severity::Error;
    switch (role) {
    case Qt::DisplayRole:
        return index.column() == Picture ? sample : QString::fromStdString(problem.message);
    case Qt::DecorationRole:
        if (index.column() != Picture)
            return {};
        if (problem.severity == DataProblem::Severity::Note)
            return theme::icon(QStringLiteral("info"));
        return theme::icon(isError ? QStringLiteral("failed") : QStringLiteral("warning"),
                           isError ? theme::Tone::Bad : theme::Tone::Warning);
    case Qt::ToolTipRole: {
        QStringList lines = {QString::fromStdString(problem.message)};
        if (!problem.file.empty())
            lines << QString::fromStdString(problem.file);
        if (at(index.row()).set < 0 && !problem.sample.empty())
            lines << tr("This picture is not among those that are shown.");
        return lines.join(QLatin1Char('\n'));
    }
    case Qt::AccessibleTextRole:
        if (index.column() == Picture)
            return isError ? tr("Error, %1").arg(sample) : tr("Warning, %1").arg(sample);
        return QString::fromStdString(problem.message);
    default:
        return {};
    }
}

QVariant ProblemsModel::headerData(int section, Qt::Orientation orientation, int role) const {
    if (orientation != Qt::Horizontal || role != Qt::DisplayRole)
        return {};
    return section == Picture ? tr("Picture") : tr("Problem");
}

} // namespace trainyard
