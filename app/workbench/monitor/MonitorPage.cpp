#include "app/workbench/monitor/MonitorPage.h"

#include "app/workbench/EmptyState.h"
#include "app/workbench/monitor/MonitorHead.h"
#include "app/workbench/monitor/SampleGallery.h"
#include "app/workbench/monitor/SampleStrip.h"
#include "app/workbench/monitor/SampleViewer.h"
#include "widgets/plots/PlotBoard.h"
#include "widgets/plots/SeriesPlot.h"

#include <QJsonArray>
#include <QStackedLayout>
#include <QVBoxLayout>

#include <algorithm>
#include <cmath>
#include <utility>

namespace trainyard {
namespace {

constexpr double kRoomAtTheEnd = 1.0 / 150; ///< of all iterations: the newest point stands whole

/// A sum over all samples, which would press the shares beside it flat; Runs and the command line say it.
bool isTotal(const std::string& name) {
    return name.starts_with("metric/total_");
}

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
    : QWidget(parent), m_board(new PlotBoard(this)), m_empty(new EmptyState(this)), m_stack(new QStackedLayout),
      m_head(new MonitorHead(this)), m_gallery(new SampleGallery(this)), m_strip(new SampleStrip(this)),
      m_viewer(new SampleViewer(this)) {
    setBackgroundRole(QPalette::Base);
    setAutoFillBackground(true);
    makePlots();
    setLayout(m_stack);
    for (QWidget* page : std::initializer_list<QWidget*>{m_empty, makePlotsPage(), m_viewer})
        m_stack->addWidget(page);
    connectSamples();
    connect(m_board, &PlotBoard::viewChanged, this, [this] {
        request();
        updateHead();
        Q_EMIT settingsChanged();
    });
    connect(m_board, &PlotBoard::cursorChanged, m_head, &MonitorHead::setCursor);
    connect(m_head, &MonitorHead::smoothingChanged, this, [this](double weight) {
        m_board->setSmoothing(weight);
        Q_EMIT settingsChanged();
    });
    connect(m_head, &MonitorHead::logIterationsChanged, this, [this](bool isLog) {
        m_board->setLogIterations(isLog);
        Q_EMIT settingsChanged();
    });
    connect(m_head, &MonitorHead::allAsked, this, &MonitorPage::showAll);
    connect(m_head, &MonitorHead::arrangementResetAsked, m_board, &PlotBoard::resetArrangement);
    connect(&m_follower, &SeriesFollower::updated, this, [this](const auto& snapshot) { show(*snapshot); });
    m_board->setSmoothing(m_head->smoothing());
    updateHead();
}

QWidget* MonitorPage::makePlotsPage() {
    auto* plots = new QWidget(this);
    auto* column = new QVBoxLayout(plots);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    column->addWidget(m_head);
    column->addWidget(m_board, 1);
    column->addWidget(m_strip);
    return plots;
}

void MonitorPage::connectSamples() {
    connect(m_gallery, &SampleGallery::changed, this, &MonitorPage::showSamples);
    connect(m_head, &MonitorHead::samplesToggled, this, [this] {
        showSamples();
        Q_EMIT settingsChanged();
    });
    connect(m_strip, &SampleStrip::opened, this, [this](int sample) {
        m_viewer->showSample(sample);
        m_stack->setCurrentWidget(m_viewer);
        m_viewer->setFocus();
    });
    connect(m_viewer, &SampleViewer::evaluationAsked, m_gallery, &SampleGallery::step);
    connect(m_viewer, &SampleViewer::closed, this, [this] {
        m_gallery->follow();
        m_stack->setCurrentIndex(m_run == 0 ? 0 : 1);
        m_strip->setFocus();
    });
}

void MonitorPage::showSamples() {
    const auto pictures = m_gallery->pictures();
    m_head->setSamples(pictures != nullptr);
    m_strip->setVisible(pictures && m_head->showsSamples());
    m_strip->setPictures(pictures);
    if (pictures)
        m_viewer->setPictures(pictures, m_gallery->hasOlder(), m_gallery->hasNewer());
    else if (m_stack->currentWidget() == m_viewer)
        m_stack->setCurrentIndex(m_run == 0 ? 0 : 1);
}

MonitorPage::~MonitorPage() = default;

void MonitorPage::makePlots() {
    const auto add = [this](const char* prefix, const QString& title, ValueStyle style, const QString& whole,
                            const QString& emptyText, bool isSmoothable) {
        auto* plot = new SeriesPlot(title, style, this);
        plot->setObjectName(QLatin1String(prefix));
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

void MonitorPage::setEvaluations(std::size_t count) {
    if (std::exchange(m_evaluations, count) != count && isVisible())
        m_gallery->refresh();
}

void MonitorPage::setRun(std::int64_t run, const std::filesystem::path& folder) {
    const bool isOther = run != m_run || folder != m_folder;
    m_run = run;
    m_folder = folder;
    if (!isOther)
        return;
    m_trouble.clear();
    m_stack->setCurrentIndex(run == 0 ? 0 : 1);
    m_gallery->setFolder(folder);
    for (const Group& group : m_groups)
        group.plot->setData({});
    m_board->setView({});
    request();
}

void MonitorPage::setRunView(const std::optional<RunView>& view) {
    if (!view || !m_trouble.isEmpty())
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
    const QString trouble = run.series.empty() ? QString::fromStdString(run.trouble) : QString();
    if (trouble != m_trouble && !trouble.isEmpty()) {
        for (const Group& group : m_groups)
            group.plot->setEmptyText(trouble);
        Q_EMIT messageRaised(tr("The points of this run cannot be shown. %1").arg(trouble));
    }
    m_trouble = trouble;
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
            if (!belongs(series.name, group.prefix) || isTotal(series.name))
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
    m_head->setView(m_board->view(), m_board->arrangement().isChanged());
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
    m_gallery->refresh();
    m_follower.setActive(true);
}

void MonitorPage::hideEvent(QHideEvent* event) {
    QWidget::hideEvent(event);
    m_follower.setActive(false);
}

QJsonObject MonitorPage::settings() const {
    QJsonObject settings;
    const PlotView& view = m_board->view();
    m_head->save(settings);
    if (m_board->arrangement().isChanged())
        settings[QStringLiteral("arrangement")] = m_board->arrangement().toJson();
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
    m_head->load(settings);
    m_board->setArrangement(settings[QStringLiteral("arrangement")].toArray());
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
