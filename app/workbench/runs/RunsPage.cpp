#include "app/workbench/runs/RunsPage.h"

#include "app/workbench/Actions.h"
#include "app/workbench/EmptyState.h"
#include "widgets/plots/PlotBoard.h"
#include "widgets/plots/SeriesPlot.h"
#include "widgets/tables/QuietTable.h"
#include "widgets/tables/StateDelegate.h"
#include "widgets/theme/Icon.h"

#include <QComboBox>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QJsonArray>
#include <QLabel>
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
      m_empty(new EmptyState(this)), m_stack(new QStackedLayout), m_splitter(new QSplitter(Qt::Vertical, this)),
      m_board(new PlotBoard(this)), m_plot(new SeriesPlot(tr("Loss"), ValueStyle::Number)) {
    m_filter->setSourceModel(m_model);
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
    column->addWidget(makeHead());
    column->addWidget(m_table, 1);
    m_splitter->addWidget(top);
    m_splitter->addWidget(m_board);
    m_splitter->setStretchFactor(0, 3);
    m_splitter->setStretchFactor(1, 2);
    m_splitter->setSizes({500, 500}); // shares, not pixels
    m_splitter->setChildrenCollapsible(false);
    setLayout(m_stack);
    m_stack->addWidget(m_empty);
    m_stack->addWidget(m_splitter);

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
    connect(m_table, &QWidget::customContextMenuRequested, this, [this, &actions](const QPoint& position) {
        auto* menu = new QMenu(this);
        menu->setAttribute(Qt::WA_DeleteOnClose);
        menu->addActions({actions.openRun, actions.resume, actions.further, actions.resumeChanged, actions.reuse});
        menu->addSeparator();
        menu->addActions({actions.rename, actions.openFolder, actions.copyPath});
        menu->addSeparator();
        menu->addAction(actions.deleteRun);
        menu->popup(m_table->viewport()->mapToGlobal(position));
    });
    m_table->addAction(actions.deleteRun);
    connect(m_model, &RunsModel::tickedChanged, this, &RunsPage::requestComparison);
    connect(m_model, &RunsModel::renameAsked, this, &RunsPage::renameAsked);
    connect(m_board, &PlotBoard::viewChanged, this, &RunsPage::requestComparison);
    connect(&m_follower, &SeriesFollower::updated, this, [this](const auto& snapshot) { showComparison(*snapshot); });
}

RunsPage::~RunsPage() = default;

QWidget* RunsPage::makeHead() {
    const int quarter = theme::quarter(this);
    auto* head = new QWidget(this);
    head->setBackgroundRole(QPalette::Base);
    head->setAutoFillBackground(true);
    auto* row = new QHBoxLayout(head);
    row->setContentsMargins(3 * quarter, 2 * quarter, 3 * quarter, 2 * quarter);
    row->setSpacing(2 * quarter);
    m_search = new QLineEdit(head);
    m_search->setPlaceholderText(tr("Filter by name, state, model, tag or note"));
    m_search->setClearButtonEnabled(true);
    m_search->addAction(theme::icon(QStringLiteral("search")), QLineEdit::LeadingPosition);
    m_search->setMaximumWidth(fontMetrics().averageCharWidth() * 60);
    m_search->setAccessibleName(tr("Filter of runs"));
    connect(m_search, &QLineEdit::textChanged, m_filter, &RunsFilter::setWords);
    m_kind = new QComboBox(head);
    m_kind->addItems({tr("All States"), tr("Active"), tr("Finished"), tr("Ended Early")});
    m_kind->setAccessibleName(tr("Runs shown by state"));
    connect(m_kind, &QComboBox::currentIndexChanged, this,
            [this](int index) { m_filter->setKind(RunsFilter::Kind(index)); });
    m_series = new QComboBox(head);
    m_series->addItem(tr("Loss"), QStringLiteral("loss"));
    m_series->addItem(tr("Best Metric"), QStringLiteral("metric"));
    m_series->addItem(tr("Learning Rate"), QStringLiteral("learning_rate"));
    m_series->addItem(tr("Gradient Norm"), QStringLiteral("gradient_norm"));
    m_series->addItem(tr("Time per Iteration"), QStringLiteral("seconds/total"));
    auto* compare = new QLabel(tr("&Compare"), head);
    compare->setBuddy(m_series);
    connect(m_series, &QComboBox::currentIndexChanged, this, &RunsPage::requestComparison);
    row->addWidget(m_search, 1);
    row->addWidget(m_kind);
    row->addStretch(1);
    row->addWidget(compare);
    row->addWidget(m_series);
    return head;
}

void RunsPage::setProject(const ProjectSnapshot* project, const EngineState& engine) {
    const bool hasRuns = project && !project->runs.empty();
    m_model->setReadOnly(!project || project->isReadOnly);
    m_folder = project ? project->folder : std::filesystem::path();
    m_model->setRuns(project ? project->runs : std::vector<RunRecord>(), engine);
    m_stack->setCurrentIndex(hasRuns ? 1 : 0);
    if (hasRuns && !m_hasFitted) {
        m_table->fitColumns(RunsModel::Tags);
        m_hasFitted = true;
    }
    m_table->growColumns();
    setShownRun(m_shownRun);
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

void RunsPage::editName() {
    if (m_table->currentIndex().isValid())
        m_table->edit(m_table->currentIndex().siblingAtColumn(RunsModel::Name));
}

void RunsPage::find() {
    m_search->setFocus(Qt::ShortcutFocusReason);
    m_search->selectAll();
}

void RunsPage::zoom(double factor) {
    m_board->zoom(factor);
}

void RunsPage::showAll() {
    m_board->setView({});
}

void RunsPage::requestComparison() {
    const std::string series = m_series->currentData().toString().toStdString();
    m_plot->setTitle(m_series->currentText());
    m_plot->setSmoothable(series != "metric" && series != "learning_rate");
    SeriesRequest request;
    for (int row = 0; row < m_model->rowCount(); ++row) {
        const RunRecord* run = m_model->runAt(row);
        if (!m_model->ticked().contains(run->id))
            continue;
        request.sources.push_back({run->id, m_folder / run->folder});
        const std::string name = series == "metric" ? "metric/" + run->bestMetricName : series;
        if (std::find(request.only.begin(), request.only.end(), name) == request.only.end())
            request.only.push_back(name);
    }
    request.view = m_board->view();
    request.columns = m_board->columns();
    m_follower.setRequest(request);
    if (request.sources.empty())
        m_plot->setData({});
}

void RunsPage::showComparison(const SeriesSnapshot& snapshot) {
    PlotData data;
    for (const auto& run : snapshot.runs) {
        const RunRecord* record = m_model->runAt(m_model->rowOf(run.run));
        if (!record || !m_model->ticked().contains(run.run))
            continue;
        for (const auto& series : run.series) {
            PlotCurve curve;
            curve.key = QStringLiteral("%1:%2").arg(run.run).arg(QString::fromStdString(series.name));
            curve.name = runTitle(*record);
            curve.colour = int(record->colour);
            curve.buckets = series.buckets;
            curve.lastValue = series.last.value;
            curve.lastIteration = series.last.iteration;
            data.curves.push_back(std::move(curve));
        }
    }
    const double last = double(snapshot.last);
    m_board->setExtent(0, last + last / 150); // the newest point stands whole
    m_plot->setData(data);
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
    return {{QStringLiteral("columns"), QString::fromLatin1(m_table->columnState().toBase64())},
            {QStringLiteral("splitter"), QString::fromLatin1(m_splitter->saveState().toBase64())},
            {QStringLiteral("ticked"), ticked}};
}

void RunsPage::setSettings(const QJsonObject& settings) {
    const auto bytes = [&](const char* key) {
        return QByteArray::fromBase64(settings[QLatin1String(key)].toString().toLatin1());
    };
    if (!bytes("columns").isEmpty()) {
        m_table->setColumnState(bytes("columns"));
        m_hasFitted = true;
    }
    m_splitter->restoreState(bytes("splitter"));
    QSet<qint64> ticked;
    for (const QJsonValue& run : settings[QStringLiteral("ticked")].toArray())
        ticked.insert(qint64(run.toDouble()));
    m_model->setTicked(ticked);
}

} // namespace trainyard
