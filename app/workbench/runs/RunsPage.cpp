#include "app/workbench/runs/RunsPage.h"

#include "app/workbench/Actions.h"
#include "app/workbench/EmptyState.h"
#include "app/workbench/runs/ColumnChooser.h"
#include "app/workbench/runs/ComparisonPanel.h"
#include "app/workbench/runs/RunsHead.h"
#include "core/config/Schema.h"
#include "widgets/plots/PlotBoard.h"
#include "widgets/plots/SeriesPlot.h"
#include "widgets/tables/QuietTable.h"
#include "widgets/tables/StateDelegate.h"
#include "widgets/theme/Theme.h"

#include <QAction>
#include <QComboBox>
#include <QJsonArray>
#include <QLineEdit>
#include <QMenu>
#include <QShortcut>
#include <QSplitter>
#include <QStackedLayout>
#include <QVBoxLayout>

#include <algorithm>

namespace trainyard {

RunsPage::RunsPage(const Actions& actions, QWidget* parent)
    : QWidget(parent), m_model(new RunsModel(this)), m_filter(new RunsFilter(this)), m_table(new QuietTable(this)),
      m_empty(new EmptyState(this)), m_stack(new QStackedLayout), m_head(nullptr),
      m_splitter(new QSplitter(Qt::Vertical, this)), m_board(new PlotBoard(this)),
      m_plot(new SeriesPlot(tr("Loss"), ValueStyle::Number)), m_comparison(new ComparisonPanel(m_board, this)) {
    m_filter->setSourceModel(m_model);
    m_head = new RunsHead(m_model, m_filter, this);
    m_table->setModel(m_filter);
    m_table->setItemDelegateForColumn(RunsModel::State, new StateDelegate(m_table));
    m_table->sortByColumn(RunsModel::Created, Qt::DescendingOrder);
    m_table->setEditTriggers(QAbstractItemView::NoEditTriggers);
    m_table->setAccessibleName(tr("Runs"));
    m_plot->setEmptyText(tr("Tick runs in the table to compare them here."));
    m_plot->setSmoothing(0.9);
    m_board->addPlot(m_plot);
    m_board->setSmoothing(0.9);

    auto* top = new QWidget(this);
    auto* column = new QVBoxLayout(top);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    column->addWidget(m_head);
    column->addWidget(m_table, 1);
    m_splitter->addWidget(top);
    m_splitter->addWidget(m_comparison);
    m_splitter->setStretchFactor(0, 3);
    m_splitter->setStretchFactor(1, 2);
    m_splitter->setSizes({500, 500}); // shares, not pixels
    m_splitter->setChildrenCollapsible(false);
    setLayout(m_stack);
    m_stack->addWidget(m_empty);
    m_stack->addWidget(m_splitter);

    connectTable(actions);
    connect(m_model, &RunsModel::tickedChanged, this, [this] {
        showDifferences();
        requestComparison();
        Q_EMIT settingsChanged();
    });
    connect(m_model, &RunsModel::renameAsked, this, &RunsPage::renameAsked);
    connect(m_model, &RunsModel::textAsked, this, &RunsPage::textAsked);
    connect(m_head, &RunsHead::filterChanged, this, &RunsPage::needProvenance);
    connect(m_head, &RunsHead::filterChanged, this, &RunsPage::settingsChanged);
    connect(m_head, &RunsHead::columnsAsked, this, &RunsPage::chooseColumns);
    connect(m_comparison, &ComparisonPanel::seriesChosen, this, &RunsPage::requestComparison);
    connect(m_board, &PlotBoard::viewChanged, this, &RunsPage::requestComparison);
    connect(&m_follower, &SeriesFollower::updated, this, [this](const auto& snapshot) { showComparison(*snapshot); });
}

void RunsPage::connectTable(const Actions& actions) {
    connect(m_table->selectionModel(), &QItemSelectionModel::currentRowChanged, this, [this](const QModelIndex& index) {
        if (!m_isSelecting && index.isValid())
            Q_EMIT runChosen(index.data(RunsModel::RunRole).toLongLong());
    });
    connect(m_table, &QAbstractItemView::doubleClicked, this,
            [this](const QModelIndex& index) { Q_EMIT runOpened(index.data(RunsModel::RunRole).toLongLong()); });
    const auto openCurrent = [this] {
        if (m_table->currentIndex().isValid())
            Q_EMIT runOpened(m_table->currentIndex().data(RunsModel::RunRole).toLongLong());
    };
    for (const auto key : {Qt::Key_Space, Qt::Key_Return, Qt::Key_Enter})
        connect(new QShortcut(key, m_table, nullptr, nullptr, Qt::WidgetShortcut), &QShortcut::activated, this,
                openCurrent);
    connect(m_table, &QWidget::customContextMenuRequested, this,
            [this, &actions](const QPoint& position) { showMenu(actions, position); });
    m_table->addAction(actions.deleteRun);
}

void RunsPage::showMenu(const Actions& actions, const QPoint& position) {
    auto* menu = new QMenu(this);
    menu->setAttribute(Qt::WA_DeleteOnClose);
    if (m_filter->kind() == RunsFilter::Kind::Deleted) {
        menu->addAction(actions.restoreRun);
        menu->popup(m_table->viewport()->mapToGlobal(position));
        return;
    }
    menu->addActions(
        {actions.openRun, actions.compare, actions.resume, actions.further, actions.resumeChanged, actions.reuse});
    menu->addSeparator();
    menu->addActions({actions.rename, actions.editTags, actions.editGroup, actions.editNotes});
    QMenu* colours = menu->addMenu(tr("Colour"));
    colours->setEnabled(actions.editTags->isEnabled());
    const QStringList names = {tr("Blue"),   tr("Orange"), tr("Green"),        tr("Vermilion"),
                               tr("Purple"), tr("Sky"),    tr("Yellow-Brown"), tr("Grey")};
    for (int colour = 0; colour < int(names.size()); ++colour)
        colours->addAction(colourDot(colour), names[colour], this, [this, colour] { Q_EMIT colourAsked(colour); });
    menu->addSeparator();
    menu->addActions({actions.openFolder, actions.copyPath});
    menu->addSeparator();
    menu->addAction(actions.deleteRun);
    menu->popup(m_table->viewport()->mapToGlobal(position));
}

RunsPage::~RunsPage() = default;

void RunsPage::setProject(const ProjectSnapshot* project, const EngineState& engine) {
    std::vector<RunRecord> runs;
    if (project) {
        runs.resize(project->runs.size() + project->deletedRuns.size());
        std::merge(project->runs.begin(), project->runs.end(), project->deletedRuns.begin(), project->deletedRuns.end(),
                   runs.begin(), [](const RunRecord& a, const RunRecord& b) { return a.id < b.id; });
    }
    if (!project || project->folder != m_folder) { // another project has other runs under the same numbers
        m_provenance.clear();
        m_configurations.clear();
        m_asked.clear();
    }
    m_model->setReadOnly(!project || project->isReadOnly);
    m_folder = project ? project->folder : std::filesystem::path();
    RunValues values;
    if (project)
        values.setEvaluations(project->newestEvaluations);
    values.setConfigurations(m_configurations);
    m_model->setValues(values);
    m_model->setRuns(runs, engine);
    m_comparison->setMetrics(values.metrics());
    m_stack->setCurrentIndex(runs.empty() ? 0 : 1);
    if (!runs.empty() && !m_hasFitted) {
        m_table->fitColumns(RunsModel::Notes);
        m_hasFitted = true;
    }
    m_table->growColumns();
    if (!m_head->search()->text().isEmpty())
        m_filter->update(); // it may ask about metrics that were not known before
    m_head->showCount();
    setShownRun(m_shownRun);
    needProvenance();
    showDifferences();
}

void RunsPage::setShownRun(std::int64_t run) {
    m_shownRun = run;
    const int row = m_model->rowOf(run);
    if (row < 0)
        return;
    const QModelIndex index = m_filter->mapFromSource(m_model->index(row, RunsModel::Name));
    if (!index.isValid() || m_table->currentIndex().row() == index.row())
        return;
    m_isSelecting = true;
    m_table->setCurrentIndex(index);
    m_isSelecting = false;
}

std::vector<std::int64_t> RunsPage::selected() const {
    std::vector<std::int64_t> runs;
    for (const QModelIndex& index : m_table->selectionModel()->selectedRows())
        runs.push_back(index.data(RunsModel::RunRole).toLongLong());
    return runs;
}

void RunsPage::edit(RunsModel::Column column) {
    if (!m_table->currentIndex().isValid())
        return;
    m_table->setColumnHidden(column, false);
    const QModelIndex cell = m_table->currentIndex().siblingAtColumn(column);
    m_table->scrollTo(cell);
    m_table->setFocus(Qt::ShortcutFocusReason);
    m_table->edit(cell);
}

void RunsPage::toggleCompared() {
    QSet<qint64> ticked = m_model->ticked();
    const auto chosen = selected();
    const bool isTicked = std::all_of(chosen.begin(), chosen.end(), [&](auto run) { return ticked.contains(run); });
    for (const std::int64_t run : chosen) {
        if (isTicked)
            ticked.remove(run);
        else
            ticked.insert(run);
    }
    m_model->setTicked(ticked);
}

void RunsPage::chooseColumns() {
    std::vector<ColumnChooser::Choice> choices;
    for (const QString& metric : m_model->values().metrics())
        choices.push_back({metric, tr("In the newest evaluation of the run"), true});
    for (const Field& field : Schema::instance().fields())
        choices.push_back({QString::fromStdString(field.key), QString::fromStdString(field.help), false});
    auto* chooser = new ColumnChooser(choices, m_model->moreColumns(), this);
    connect(chooser, &ColumnChooser::chosenChanged, this, [this](const QStringList& names) {
        m_model->setMoreColumns(names);
        m_table->growColumns();
        needProvenance();
        Q_EMIT settingsChanged();
    });
    chooser->open();
}

void RunsPage::find() {
    m_head->search()->setFocus(Qt::ShortcutFocusReason);
    m_head->search()->selectAll();
}

void RunsPage::zoom(double factor) {
    m_board->zoom(factor);
}

void RunsPage::showAll() {
    m_board->setView({});
}

void RunsPage::showEvent(QShowEvent* event) {
    QWidget::showEvent(event);
    requestComparison();
    m_follower.setActive(true);
}

void RunsPage::hideEvent(QHideEvent* event) {
    QWidget::hideEvent(event);
    m_follower.setActive(false);
}

QJsonObject RunsPage::settings() const {
    QJsonArray ticked;
    for (const qint64 run : m_model->ticked())
        ticked.append(double(run));
    return {{QStringLiteral("table"), QString::fromLatin1(m_table->columnState().toBase64())},
            {QStringLiteral("more"), QJsonArray::fromStringList(m_model->moreColumns())},
            {QStringLiteral("words"), m_head->search()->text()},
            {QStringLiteral("kind"), m_head->kind()->currentIndex()},
            {QStringLiteral("comparison"), m_comparison->settings()},
            {QStringLiteral("splitter"), QString::fromLatin1(m_splitter->saveState().toBase64())},
            {QStringLiteral("ticked"), ticked}};
}

void RunsPage::setSettings(const QJsonObject& settings) {
    const auto bytes = [&](const char* key) {
        return QByteArray::fromBase64(settings[QLatin1String(key)].toString().toLatin1());
    };
    QStringList more;
    for (const QJsonValue& name : settings[QStringLiteral("more")].toArray())
        more << name.toString();
    m_model->setMoreColumns(more);
    if (!bytes("table").isEmpty()) {
        m_table->setColumnState(bytes("table"));
        m_hasFitted = true;
    }
    m_splitter->restoreState(bytes("splitter"));
    m_head->search()->setText(settings[QStringLiteral("words")].toString());
    m_head->kind()->setCurrentIndex(
        std::clamp(settings[QStringLiteral("kind")].toInt(), 0, m_head->kind()->count() - 1));
    m_comparison->setSettings(settings[QStringLiteral("comparison")].toObject());
    QSet<qint64> ticked;
    for (const QJsonValue& run : settings[QStringLiteral("ticked")].toArray())
        ticked.insert(qint64(run.toDouble()));
    m_model->setTicked(ticked);
}

} // namespace trainyard
