// RunsPage: what is stored of runs, and the comparison of those that are ticked.
#include "app/workbench/runs/ComparisonPanel.h"
#include "app/workbench/runs/RunsHead.h"
#include "app/workbench/runs/RunsPage.h"
#include "core/config/ConfigFile.h"
#include "widgets/plots/PlotBoard.h"
#include "widgets/plots/SeriesPlot.h"
#include "widgets/tables/QuietTable.h"

#include <QFutureWatcher>
#include <QtConcurrentRun>

#include <algorithm>

namespace trainyard {

std::vector<std::int64_t> RunsPage::compared() const {
    std::vector<std::int64_t> runs;
    for (int row = 0; row < m_model->rowCount(); ++row)
        if (const RunRecord* run = m_model->runAt(row); m_model->ticked().contains(run->id) && !run->isDeleted)
            runs.push_back(run->id);
    return runs;
}

/// Asks for what is stored of the runs that the comparison, a column or the filter needs and that is not known yet.
void RunsPage::needProvenance() {
    const QStringList more = m_model->moreColumns();
    const bool needsAll =
        m_filter->query().needsConfigurations() || std::any_of(more.begin(), more.end(), RunValues::isConfigurationKey);
    std::vector<std::int64_t> wanted;
    for (int row = 0; row < m_model->rowCount(); ++row) {
        const RunRecord& run = *m_model->runAt(row);
        if (!needsAll && !m_model->ticked().contains(run.id))
            continue;
        const auto asked = m_asked.find(run.id);
        if (asked != m_asked.end() && (asked->second == run.updatedMicroseconds || run.status == RunStatus::Running))
            continue; // a run that trains changes with every iteration, and its configuration does not
        m_asked[run.id] = run.updatedMicroseconds;
        wanted.push_back(run.id);
    }
    if (!wanted.empty())
        Q_EMIT provenanceAsked(wanted);
}

void RunsPage::setProvenance(const std::map<std::int64_t, RunProvenance>& provenance) {
    std::map<std::int64_t, std::string> changed;
    for (const auto& [run, each] : provenance) {
        const auto known = m_provenance.find(run);
        if (known == m_provenance.end() || known->second.config != each.config || !m_configurations.contains(run))
            changed[run] = each.config;
        m_provenance[run] = each;
    }
    showDifferences();
    if (changed.empty())
        return;
    auto* watcher = new QFutureWatcher<RunValues::Configurations>(this);
    connect(watcher, &QFutureWatcherBase::finished, this, [this, watcher, folder = m_folder] {
        watcher->deleteLater();
        if (folder == m_folder)
            takeConfigurations(watcher->result());
    });
    watcher->setFuture(QtConcurrent::run([changed] {
        RunValues::Configurations read;
        for (const auto& [run, yaml] : changed)
            read[run] = std::make_shared<const RunConfig>(parseConfig(yaml, "config.yaml").config);
        return read;
    }));
}

void RunsPage::takeConfigurations(const RunValues::Configurations& read) {
    for (const auto& [run, config] : read)
        m_configurations[run] = config;
    RunValues values = m_model->values();
    values.setConfigurations(m_configurations);
    m_model->setValues(values);
    m_filter->update();
    m_head->showCount();
    m_table->growColumns();
    showDifferences();
}

void RunsPage::showDifferences() {
    std::vector<ComparedRun> runs;
    for (const std::int64_t id : compared()) {
        ComparedRun run;
        run.record = *m_model->runAt(m_model->rowOf(id));
        if (const auto found = m_provenance.find(id); found != m_provenance.end())
            run.provenance = found->second;
        run.config = m_model->values().configuration(id);
        runs.push_back(std::move(run));
    }
    m_comparison->setRuns(m_folder, runs);
}

void RunsPage::requestComparison() {
    needProvenance();
    const std::string series = m_comparison->series().toStdString();
    m_plot->setTitle(m_comparison->seriesTitle());
    m_plot->setSmoothable(!series.starts_with("metric") && series != "learning_rate");
    SeriesRequest request;
    for (const std::int64_t id : compared()) {
        const RunRecord* run = m_model->runAt(m_model->rowOf(id));
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

} // namespace trainyard
