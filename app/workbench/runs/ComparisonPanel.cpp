#include "app/workbench/runs/ComparisonPanel.h"

#include "app/workbench/RunView.h"
#include "widgets/plots/PlotBoard.h"
#include "widgets/tables/QuietTable.h"
#include "widgets/theme/Ink.h"
#include "widgets/theme/Numbers.h"
#include "widgets/theme/Theme.h"

#include <QCheckBox>
#include <QComboBox>
#include <QFutureWatcher>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QLabel>
#include <QStackedWidget>
#include <QTabBar>
#include <QVBoxLayout>
#include <QtConcurrentRun>

#include <algorithm>

namespace trainyard {

ComparisonPanel::ComparisonPanel(PlotBoard* board, QWidget* parent)
    : QWidget(parent), m_tabs(new QTabBar(this)), m_series(new QComboBox(this)),
      m_seriesLabel(new QLabel(tr("C&urve"), this)), m_all(new QCheckBox(tr("Show &All Keys"), this)),
      m_parting(new QLabel(this)), m_nothing(new QLabel(this)), m_stack(new QStackedWidget(this)),
      m_configuration(new ComparisonModel(this)), m_environment(new ComparisonModel(this)) {
    const int quarter = theme::quarter(this);
    m_tabs->setDocumentMode(true);
    m_tabs->setDrawBase(false);
    m_tabs->setExpanding(false);
    m_tabs->addTab(tr("Curves"));
    m_tabs->addTab(tr("Configuration"));
    m_tabs->addTab(tr("Machine and Data"));
    m_tabs->setAccessibleName(tr("What is compared"));
    m_series->setAccessibleName(tr("Curve that is compared"));
    m_series->setSizeAdjustPolicy(QComboBox::AdjustToContents);
    m_seriesLabel->setBuddy(m_series);
    m_all->setToolTip(tr("Also what is the same in all of them"));
    m_parting->setTextFormat(Qt::PlainText);
    m_parting->setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
    m_parting->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
    m_parting->setAccessibleName(tr("Where the losses part"));
    m_nothing->setAlignment(Qt::AlignCenter);
    m_nothing->setWordWrap(true);
    m_nothing->setMargin(4 * quarter);
    setMetrics({});

    setBackgroundRole(QPalette::Base);
    setAutoFillBackground(true);
    auto* head = new QHBoxLayout;
    head->setContentsMargins(2 * quarter, quarter, 3 * quarter, quarter);
    head->setSpacing(2 * quarter);
    head->addWidget(m_tabs);
    head->addSpacing(2 * quarter);
    head->addWidget(m_parting, 1);
    head->addWidget(m_seriesLabel);
    head->addWidget(m_series);
    head->addWidget(m_all);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    column->addLayout(head);
    column->addWidget(m_stack, 1);
    m_stack->addWidget(board);
    m_stack->addWidget(addTable(m_configuration, tr("Configurations that are compared")));
    m_stack->addWidget(addTable(m_environment, tr("Machines and data that are compared")));
    m_stack->addWidget(m_nothing);

    connect(m_tabs, &QTabBar::currentChanged, this, &ComparisonPanel::showView);
    connect(m_series, &QComboBox::activated, this, &ComparisonPanel::seriesChosen);
    connect(m_all, &QCheckBox::toggled, this, [this](bool showsAll) {
        m_configuration->setShowsAll(showsAll);
        m_environment->setShowsAll(showsAll);
        showView();
    });
    showView();
}

ComparisonPanel::~ComparisonPanel() {
    if (m_isCancelled)
        *m_isCancelled = true;
}

QuietTable* ComparisonPanel::addTable(ComparisonModel* model, const QString& name) {
    auto* table = new QuietTable(this);
    table->setSortingEnabled(false); // the schema's order is the order
    table->setModel(model);
    table->setAccessibleName(name);
    table->setTextElideMode(Qt::ElideMiddle);
    m_tables.push_back(table);
    return table;
}

void ComparisonPanel::setMetrics(const QStringList& metrics) {
    const QString chosen = series();
    if (m_series->count() > 0 && m_series->count() == 5 + metrics.size())
        return;
    m_series->clear();
    m_series->addItem(tr("Loss"), QStringLiteral("loss"));
    m_series->addItem(tr("Best Metric"), QStringLiteral("metric"));
    m_series->addItem(tr("Learning Rate"), QStringLiteral("learning_rate"));
    m_series->addItem(tr("Gradient Norm"), QStringLiteral("gradient_norm"));
    m_series->addItem(tr("Time per Iteration"), QStringLiteral("seconds/total"));
    for (const QString& metric : metrics)
        m_series->addItem(metric, QStringLiteral("metric/") + metric);
    m_series->setCurrentIndex(std::max(0, m_series->findData(chosen)));
}

QString ComparisonPanel::series() const {
    return m_series->currentData().toString();
}

QString ComparisonPanel::seriesTitle() const {
    return m_series->currentText();
}

ComparisonPanel::View ComparisonPanel::view() const {
    return View(m_tabs->currentIndex());
}

void ComparisonPanel::setView(View view) {
    m_tabs->setCurrentIndex(view);
}

QString ComparisonPanel::partingText() const {
    return m_parting->text();
}

void ComparisonPanel::setRuns(const std::filesystem::path& project, const std::vector<ComparedRun>& runs) {
    QStringList titles;
    std::vector<std::filesystem::path> folders;
    std::vector<std::int64_t> iterations;
    m_isRead = !runs.empty();
    for (const ComparedRun& run : runs) {
        titles << runTitle(run.record);
        folders.push_back(project / run.record.folder);
        iterations.push_back(run.record.iteration);
        m_isRead = m_isRead && run.config;
    }
    const bool isOther = titles.size() != m_titles.size();
    m_titles = titles;
    m_configuration->setRows(titles, m_isRead ? configurationRows(runs) : std::vector<ComparisonRow>());
    m_environment->setRows(titles, environmentRows(runs));
    for (QuietTable* table : m_tables)
        for (int column = 0; isOther && column <= titles.size(); ++column)
            table->setColumnWidth(column, fontMetrics().averageCharWidth() * (column == 0 ? 34 : 30));
    showView();
    // once they have parted, going on changes nothing; going back may
    const bool hasGoneOn = std::equal(iterations.begin(), iterations.end(), m_iterations.begin(), m_iterations.end(),
                                      [](std::int64_t now, std::int64_t before) { return now >= before; });
    if (folders == m_compared && (iterations == m_iterations || (hasGoneOn && (m_hasParted || m_isLooking))))
        return;
    m_compared = folders;
    m_iterations = iterations;
    lookForParting(folders);
}

void ComparisonPanel::showView() {
    const bool isCurves = view() == Curves;
    m_series->setVisible(isCurves);
    m_seriesLabel->setVisible(isCurves);
    m_all->setVisible(!isCurves);
    const bool isEmpty = !isCurves && (m_titles.size() < 2 || model(view())->rowCount() == 0);
    if (isEmpty)
        m_nothing->setText(m_titles.size() < 2 ? tr("Tick two or more runs in the table to see what differs.")
                           : view() == Configuration && !m_isRead ? tr("Reading the configurations…")
                                                                  : tr("Nothing differs."));
    m_stack->setCurrentIndex(isEmpty ? m_stack->indexOf(m_nothing) : int(view()));
}

void ComparisonPanel::lookForParting(const std::vector<std::filesystem::path>& folders) {
    if (m_isCancelled)
        *m_isCancelled = true;
    m_isCancelled = std::make_shared<std::atomic<bool>>(false);
    m_isLooking = folders.size() > 1;
    m_hasParted = false;
    if (!m_isLooking) {
        m_parting->clear();
        return;
    }
    using Answer = std::shared_ptr<Result<LossParting>>;
    auto* watcher = new QFutureWatcher<Answer>(this);
    connect(watcher, &QFutureWatcherBase::finished, this, [this, watcher, isCancelled = m_isCancelled] {
        const Answer answer = watcher->result();
        watcher->deleteLater();
        if (*isCancelled)
            return;
        m_isLooking = false;
        if (*answer)
            tellParting(**answer);
        else
            m_parting->setText(QString::fromStdString(answer->error().sentence()));
    });
    watcher->setFuture(QtConcurrent::run([folders, isCancelled = m_isCancelled] {
        return std::make_shared<Result<LossParting>>(lossParting(folders, *isCancelled));
    }));
}

void ComparisonPanel::tellParting(const LossParting& parting) {
    m_hasParted = parting.iteration.has_value();
    QStringList losses;
    for (std::size_t run = 0; run < parting.losses.size() && int(run) < m_titles.size(); ++run)
        losses << tr("%1: %2").arg(m_titles[int(run)], theme::exactText(parting.losses[run]));
    if (parting.shared == 0)
        m_parting->setText(tr("The runs have no iteration in common."));
    else if (!parting.iteration)
        m_parting->setText(tr("All losses are identical up to iteration %1.").arg(theme::countText(parting.last)));
    else if (parting.shared == 1)
        m_parting->setText(tr("Losses part at once, at iteration %1.").arg(theme::countText(*parting.iteration)));
    else
        m_parting->setText(
            tr("Losses part at iteration %1; they are identical before.").arg(theme::countText(*parting.iteration)));
    m_parting->setToolTip(losses.join(QLatin1Char('\n')));
}

QJsonObject ComparisonPanel::settings() const {
    return {{QStringLiteral("view"), int(view())},
            {QStringLiteral("series"), series()},
            {QStringLiteral("all"), m_all->isChecked()}};
}

void ComparisonPanel::setSettings(const QJsonObject& settings) {
    m_all->setChecked(settings[QStringLiteral("all")].toBool());
    setView(View(std::clamp(settings[QStringLiteral("view")].toInt(), int(Curves), int(Environment))));
    const QString wanted = settings[QStringLiteral("series")].toString();
    if (const int at = m_series->findData(wanted); at >= 0)
        m_series->setCurrentIndex(at);
}

} // namespace trainyard
