#include "app/workbench/monitor/MonitorPage.h"

#include "app/workbench/EmptyState.h"
#include "widgets/plots/PlotBoard.h"
#include "widgets/plots/SeriesPlot.h"
#include "widgets/theme/Icon.h"
#include "widgets/theme/Numbers.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QSlider>
#include <QStackedLayout>
#include <QToolButton>
#include <QVBoxLayout>

#include <algorithm>
#include <cmath>

namespace trainyard {
namespace {

constexpr double kRoomAtTheEnd = 1.0 / 150; ///< of all iterations: the newest point stands whole
constexpr int kSmoothing = 90;              ///< hundredths, until one chooses otherwise

/// A series of `name` belongs to the plot of `prefix` when it is it, or stands below it.
bool belongs(const std::string& name, const std::string& prefix) {
    return name == prefix || name.starts_with(prefix + "/");
}

QString readable(const std::string& name) {
    return QString::fromStdString(name).replace(QLatin1Char('_'), QLatin1Char(' '));
}

} // namespace

/// One plot and the series it shows.
struct MonitorPage::Group {
    std::string prefix;
    SeriesPlot* plot;
    QString whole; ///< the legend's word for the series that is the prefix itself
};

MonitorPage::MonitorPage(QWidget* parent)
    : QWidget(parent), m_board(new PlotBoard(this)), m_empty(new EmptyState(this)), m_stack(new QStackedLayout) {
    setBackgroundRole(QPalette::Base);
    setAutoFillBackground(true);
    makePlots();
    auto* plots = new QWidget(this);
    auto* column = new QVBoxLayout(plots);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    column->addWidget(makeHead());
    column->addWidget(m_board, 1);
    setLayout(m_stack);
    m_stack->addWidget(m_empty);
    m_stack->addWidget(plots);
    connect(m_board, &PlotBoard::viewChanged, this, [this] {
        request();
        updateHead();
        Q_EMIT settingsChanged();
    });
    connect(m_board, &PlotBoard::cursorChanged, this, [this](std::optional<double> iteration) {
        m_cursor->setText(iteration ? tr("iteration %1").arg(theme::countText(std::llround(*iteration))) : QString());
    });
    connect(&m_follower, &SeriesFollower::updated, this, [this](const auto& snapshot) { show(*snapshot); });
    m_smoothing->setValue(kSmoothing);
}

MonitorPage::~MonitorPage() = default;

void MonitorPage::makePlots() {
    const auto add = [this](const char* prefix, const QString& title, ValueStyle style, const QString& whole,
                            const QString& emptyText, bool isSmoothable) {
        auto* plot = new SeriesPlot(title, style, this);
        plot->setEmptyText(emptyText);
        plot->setSmoothable(isSmoothable);
        m_groups.push_back({prefix, plot, whole});
        m_board->addPlot(plot);
        connect(plot, &SeriesPlot::csvAsked, this,
                [this, at = m_groups.size() - 1](const QString& path) { exportCsv(m_groups[at], path); });
        connect(plot, &SeriesPlot::logValuesChanged, this, [this] { Q_EMIT settingsChanged(); });
    };
    // a lagging metric or rate would mislead, and few points hide nothing
    add("loss", tr("Loss"), ValueStyle::Number, tr("total"), tr("The first iteration draws the first point."), true);
    add("metric", tr("Metric"), ValueStyle::Number, {}, tr("Comes with the first evaluation (train.evaluate_every)."),
        false);
    add("learning_rate", tr("Learning rate"), ValueStyle::Rate, tr("Learning rate"), {}, false);
    add("gradient_norm", tr("Gradient norm"), ValueStyle::Number, tr("Gradient norm"), {}, true);
    add("seconds", tr("Time per iteration"), ValueStyle::Seconds, {}, {}, true);
    add("update_to_weight", tr("Update by weight"), ValueStyle::Rate, {},
        tr("Comes with the parameter statistics (train.summarise_every)."), false);
}

QWidget* MonitorPage::makeHead() {
    const int quarter = theme::quarter(this);
    auto* head = new QWidget(this);
    auto* row = new QHBoxLayout(head);
    row->setContentsMargins(4 * quarter, 2 * quarter, 4 * quarter, 0);
    row->setSpacing(2 * quarter);
    auto* label = new QLabel(tr("S&moothing"), head);
    m_smoothing = new QSlider(Qt::Horizontal, head);
    m_smoothing->setRange(0, 99);
    m_smoothing->setFixedWidth(fontMetrics().averageCharWidth() * 22);
    m_smoothing->setToolTip(
        tr("How much of the past the drawn line keeps over one point: 0 draws the points themselves. "
           "The points stay visible beneath it."));
    m_smoothing->setAccessibleName(tr("Smoothing of the curves"));
    label->setBuddy(m_smoothing);
    m_smoothingValue = new QLabel(head);
    m_smoothingValue->setMinimumWidth(fontMetrics().horizontalAdvance(QStringLiteral("0.00 ")));
    connect(m_smoothing, &QSlider::valueChanged, this, [this](int value) {
        m_board->setSmoothing(value / 100.0);
        m_smoothingValue->setText(QLocale().toString(value / 100.0, 'f', 2));
        Q_EMIT settingsChanged();
    });
    m_logIterations = new QToolButton(head);
    m_logIterations->setText(tr("Log Iterations"));
    m_logIterations->setCheckable(true);
    m_logIterations->setAutoRaise(true);
    m_logIterations->setToolTip(tr("Logarithmic scale of iterations, in all plots"));
    connect(m_logIterations, &QToolButton::toggled, this, [this](bool isLog) {
        m_board->setLogIterations(isLog);
        Q_EMIT settingsChanged();
    });
    m_cursor = new QLabel(head);
    m_range = new QLabel(head);
    m_all = new QToolButton(head);
    m_all->setText(tr("Show All"));
    m_all->setAutoRaise(true);
    m_all->setToolTip(tr("Show every iteration and follow the newest (Escape)"));
    connect(m_all, &QToolButton::clicked, this, &MonitorPage::showAll);
    row->addWidget(label);
    row->addWidget(m_smoothing);
    row->addWidget(m_smoothingValue);
    row->addWidget(m_logIterations);
    row->addStretch(1);
    row->addWidget(m_cursor);
    row->addSpacing(4 * quarter);
    row->addWidget(m_range);
    row->addWidget(m_all);
    return head;
}

void MonitorPage::setRun(std::int64_t run, const std::filesystem::path& folder) {
    const bool isOther = run != m_run || folder != m_folder;
    m_run = run;
    m_folder = folder;
    m_stack->setCurrentIndex(run == 0 ? 0 : 1);
    if (!isOther)
        return;
    for (const Group& group : m_groups)
        group.plot->setData({});
    m_board->setView({});
    request();
}

void MonitorPage::setRunView(const std::optional<RunView>& view) {
    if (!view || m_groups.empty())
        return;
    QString text = tr("The first iteration draws the first point.");
    if (view->status == RunStatus::Preparing || view->status == RunStatus::Queued)
        text = view->phase.isEmpty() ? tr("Preparing…") : tr("Preparing: %1").arg(view->phase);
    else if (view->status == RunStatus::Failed)
        text = view->error;
    else if (!view->isActive())
        text = tr("This run ended before its first iteration.");
    m_groups.front().plot->setEmptyText(text);
}

void MonitorPage::request() {
    SeriesRequest request;
    if (m_run != 0)
        request.sources.push_back({m_run, m_folder});
    request.withUpdates = true;
    request.view = m_board->view();
    request.columns = m_board->columns();
    m_follower.setRequest(request);
}

void MonitorPage::show(const SeriesSnapshot& snapshot) {
    if (snapshot.runs.empty() || snapshot.runs.front().run != m_run)
        return;
    const SeriesSnapshot::Run& run = snapshot.runs.front();
    std::vector<std::int64_t> resumes;
    for (const SeriesSession& session : run.sessions)
        if (session.fromIteration > 0)
            resumes.push_back(session.fromIteration);
    for (const Group& group : m_groups) {
        PlotData data;
        data.resumes = resumes;
        const auto parts = std::count_if(run.series.begin(), run.series.end(),
                                         [&](const auto& each) { return belongs(each.name, group.prefix); });
        for (const auto& series : run.series) {
            if (!belongs(series.name, group.prefix))
                continue;
            // a loss of one part is that part: drawn once
            if (group.prefix == "loss" && parts == 2 && series.name != group.prefix)
                continue;
            PlotCurve curve;
            curve.key = QString::fromStdString(series.name);
            curve.name =
                series.name == group.prefix ? group.whole : readable(series.name.substr(group.prefix.size() + 1));
            if (parts <= 2 && group.prefix == "loss")
                curve.name = group.plot->title();
            curve.colour = int(data.curves.size());
            curve.buckets = series.buckets;
            curve.abandoned = series.abandoned;
            curve.lastValue = series.last.value;
            curve.lastIteration = series.last.iteration;
            data.curves.push_back(std::move(curve));
        }
        group.plot->setData(data);
    }
    const double last = double(snapshot.last);
    m_board->setExtent(0, last + last * kRoomAtTheEnd);
    updateHead();
}

void MonitorPage::exportCsv(const Group& group, const QString& path) {
    std::vector<std::string> names;
    for (const PlotCurve& curve : group.plot->data().curves)
        names.push_back(curve.key.toStdString());
    m_follower.exportCsv(path.toStdString(), names, std::int64_t(m_board->from()), std::int64_t(m_board->to()),
                         [this](const QString& trouble) {
                             if (!trouble.isEmpty())
                                 Q_EMIT messageRaised(trouble);
                         });
}

void MonitorPage::updateHead() {
    const PlotView& view = m_board->view();
    m_all->setVisible(!view.isAll);
    if (view.isAll)
        m_range->setText({});
    else if (view.followsEnd)
        m_range->setText(tr("newest %1 iterations").arg(theme::countText(std::int64_t(view.to - view.from))));
    else
        m_range->setText(tr("iterations %1 – %2")
                             .arg(theme::countText(std::int64_t(view.from)), theme::countText(std::int64_t(view.to))));
}

void MonitorPage::zoom(double factor) {
    m_board->zoom(factor);
}

void MonitorPage::showAll() {
    m_board->setView({});
}

void MonitorPage::showEvent(QShowEvent* event) {
    QWidget::showEvent(event);
    request();
    m_follower.setActive(true);
}

void MonitorPage::hideEvent(QHideEvent* event) {
    QWidget::hideEvent(event);
    m_follower.setActive(false);
}

QJsonObject MonitorPage::settings() const {
    QJsonObject settings;
    const PlotView& view = m_board->view();
    settings[QStringLiteral("smoothing")] = m_smoothing->value();
    settings[QStringLiteral("logIterations")] = m_logIterations->isChecked();
    if (!view.isAll) {
        settings[QStringLiteral("from")] = view.from;
        settings[QStringLiteral("to")] = view.to;
        settings[QStringLiteral("followsEnd")] = view.followsEnd;
    }
    QJsonObject logs;
    for (const Group& group : m_groups)
        if (group.plot->isLogValues())
            logs[QString::fromStdString(group.prefix)] = true;
    settings[QStringLiteral("logValues")] = logs;
    return settings;
}

void MonitorPage::setSettings(const QJsonObject& settings) {
    m_smoothing->setValue(settings[QStringLiteral("smoothing")].toInt(kSmoothing));
    m_logIterations->setChecked(settings[QStringLiteral("logIterations")].toBool());
    const QJsonObject logs = settings[QStringLiteral("logValues")].toObject();
    for (const Group& group : m_groups)
        group.plot->setLogValues(logs[QString::fromStdString(group.prefix)].toBool());
    if (settings.contains(QStringLiteral("to")))
        m_board->setView({.isAll = false,
                          .followsEnd = settings[QStringLiteral("followsEnd")].toBool(),
                          .from = settings[QStringLiteral("from")].toDouble(),
                          .to = settings[QStringLiteral("to")].toDouble()});
}

} // namespace trainyard
