#include "app/workbench/checkpoints/CheckpointsPage.h"

#include "app/workbench/Actions.h"
#include "app/workbench/EmptyState.h"
#include "app/workbench/checkpoints/CheckpointTimeline.h"
#include "widgets/tables/QuietTable.h"
#include "widgets/theme/Theme.h"

#include <QAction>
#include <QHBoxLayout>
#include <QMenu>
#include <QStackedLayout>
#include <QToolButton>
#include <QVBoxLayout>

namespace trainyard {

CheckpointsPage::CheckpointsPage(const Actions& actions, QWidget* parent)
    : QWidget(parent), m_model(new CheckpointsModel(this)), m_sorted(new QSortFilterProxyModel(this)),
      m_table(new QuietTable(this)), m_timeline(new CheckpointTimeline(this)), m_empty(new EmptyState(this)),
      m_stack(new QStackedLayout) {
    m_sorted->setSourceModel(m_model);
    m_sorted->setSortRole(CheckpointsModel::SortRole);
    m_table->setModel(m_sorted);
    m_table->sortByColumn(CheckpointsModel::Iteration, Qt::DescendingOrder);
    m_table->setAccessibleName(tr("Checkpoints"));
    m_table->addAction(actions.deleteCheckpoint);

    const int quarter = theme::quarter(this);
    auto* page = new QWidget(this);
    page->setBackgroundRole(QPalette::Base);
    page->setAutoFillBackground(true);
    auto* bar = new QHBoxLayout;
    bar->setContentsMargins(2 * quarter, 2 * quarter, 2 * quarter, quarter);
    bar->setSpacing(quarter);
    const QList<QAction*> row = {actions.resumeFrom, actions.pin, actions.copyPath, actions.openFolder,
                                 actions.deleteCheckpoint};
    for (QAction* action : row) {
        auto* button = new QToolButton(page);
        button->setDefaultAction(action);
        button->setAutoRaise(true);
        button->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
        bar->addWidget(button);
    }
    bar->addStretch(1);
    auto* column = new QVBoxLayout(page);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    column->addWidget(m_timeline);
    column->addLayout(bar);
    column->addWidget(m_table, 1);
    setLayout(m_stack);
    m_stack->addWidget(m_empty);
    m_stack->addWidget(page);

    connect(m_table->selectionModel(), &QItemSelectionModel::selectionChanged, this, [this] {
        const auto chosen = selected();
        m_timeline->setChosen(chosen.size() == 1 ? chosen.front().id : 0);
        Q_EMIT selectionChanged();
    });
    connect(m_timeline, &CheckpointTimeline::chosen, this, &CheckpointsPage::select);
    connect(m_table, &QWidget::customContextMenuRequested, this, [this, row](const QPoint& position) {
        auto* menu = new QMenu(this);
        menu->setAttribute(Qt::WA_DeleteOnClose);
        menu->addActions(row);
        menu->popup(m_table->viewport()->mapToGlobal(position));
    });
}

void CheckpointsPage::setProject(const ProjectSnapshot* project) {
    const RunRecord* run = project ? project->shown() : nullptr;
    m_model->setCheckpoints(
        project ? project->checkpoints : std::vector<CheckpointRecord>(),
        run ? QString::fromStdString(run->bestMetricName).replace(QLatin1Char('_'), QLatin1Char(' ')) : QString());
    m_timeline->setCheckpoints(m_model->checkpoints(), run ? run->iteration : 0, run ? run->iterations : 0);
    m_stack->setCurrentIndex(m_model->rowCount() > 0 ? 1 : 0);
    if (m_model->rowCount() > 0 && !m_hasFitted) {
        m_table->fitColumns(CheckpointsModel::Path);
        m_hasFitted = true;
    }
    m_table->growColumns();
    if (m_model->rowCount() > 0 && !m_table->selectionModel()->hasSelection()) {
        // the neighbour of one that was deleted, or the newest
        const QModelIndex next = m_table->currentIndex().isValid() ? m_table->currentIndex() : m_sorted->index(0, 0);
        select(next.data(CheckpointsModel::IdRole).toLongLong());
    }
    Q_EMIT selectionChanged();
}

std::vector<CheckpointRecord> CheckpointsPage::selected() const {
    std::vector<CheckpointRecord> chosen;
    for (const QModelIndex& index : m_table->selectionModel()->selectedRows())
        if (const auto* checkpoint = m_model->at(m_sorted->mapToSource(index).row()))
            chosen.push_back(*checkpoint);
    return chosen;
}

void CheckpointsPage::select(std::int64_t id) {
    const int row = m_model->rowOf(id);
    if (row >= 0)
        m_table->selectionModel()->setCurrentIndex(m_sorted->mapFromSource(m_model->index(row, 0)),
                                                   QItemSelectionModel::ClearAndSelect | QItemSelectionModel::Rows);
}

QJsonObject CheckpointsPage::settings() const {
    return {{QStringLiteral("columns"), QString::fromLatin1(m_table->columnState().toBase64())}};
}

void CheckpointsPage::setSettings(const QJsonObject& settings) {
    const auto state = QByteArray::fromBase64(settings[QStringLiteral("columns")].toString().toLatin1());
    if (state.isEmpty())
        return;
    m_table->setColumnState(state);
    m_hasFitted = true;
}

} // namespace trainyard
