// MainWindow: what is shown in which state, and what is remembered.
#include "app/workbench/CommandBar.h"
#include "app/workbench/DetailsPanel.h"
#include "app/workbench/EmptyState.h"
#include "app/workbench/MainWindow.h"
#include "app/workbench/MessageBar.h"
#include "app/workbench/Rail.h"
#include "app/workbench/StatusLine.h"
#include "app/workbench/checkpoints/CheckpointsPage.h"
#include "app/workbench/configure/ConfigurePage.h"
#include "app/workbench/configure/Forecaster.h"
#include "app/workbench/data/DataPage.h"
#include "app/workbench/log/LogPanel.h"
#include "app/workbench/monitor/MonitorPage.h"
#include "app/workbench/runs/RunsPage.h"
#include "core/base/Log.h"
#include "widgets/theme/Icon.h"

#include <QAction>
#include <QJsonDocument>
#include <QSettings>

namespace trainyard {

void MainWindow::complain(const Error& error) {
    m_messages->post({QStringLiteral("error"), theme::Tone::Bad, QString::fromStdString(error.sentence()), {}, {}});
    log::error("{}", error.sentence());
}

std::optional<RunView> MainWindow::shownView() const {
    const auto project = m_store->snapshot();
    return viewOf(project.get(), m_store->shownRun(), m_engine.state());
}

void MainWindow::showProject() {
    const auto project = m_store->snapshot();
    m_commands->setRuns(project ? project->runs : std::vector<RunRecord>(), m_store->shownRun());
    m_configure->forecaster()->setProjectFolder(project ? project->folder : std::filesystem::path());
    m_data->source()->setProjectFolder(project ? project->folder : std::filesystem::path());
    m_runs->setProject(project.get(), m_engine.state());
    m_runs->setShownRun(m_store->shownRun());
    const RunRecord* run = project ? project->find(m_store->shownRun()) : nullptr;
    if (run)
        m_monitor->setRun(run->id, project->folder / run->folder);
    else
        m_monitor->setRun(0, {});
    if (project && project->shownRun == m_store->shownRun()) {
        m_checkpoints->setProject(project.get());
        m_details->setProject(project);
        m_log->setProject(project.get());
        m_monitor->setEvaluations(project->evaluations.size());
    } else if (!project) {
        m_checkpoints->setProject(nullptr);
    }
    showEmptyStates();
    enableActions();
}

void MainWindow::showState() {
    const auto project = m_store->snapshot();
    const auto view = shownView();
    m_commands->setView(view);
    m_monitor->setRunView(view);
    m_log->setEngine(m_engine.state());
    m_configure->forecaster()->setBusy(m_engine.isBusy());
    m_status->setState(m_engine.state(), view, project ? project->find(m_store->shownRun()) : nullptr);
    const bool hasLost = project && std::any_of(project->runs.begin(), project->runs.end(),
                                                [](const RunRecord& run) { return run.status == RunStatus::Lost; });
    m_rail->setAttention(Runs, hasLost);
    m_rail->setAttention(Configure, !m_configure->document()->parsed().isGood());
    enableActions();
}

void MainWindow::showEmptyStates() {
    const auto project = m_store->snapshot();
    if (!project) {
        const QString sentence = m_openTrouble.isEmpty() ? tr("No project is open.") : m_openTrouble;
        for (EmptyState* state : {m_monitor->emptyState(), m_runs->emptyState(), m_checkpoints->emptyState()})
            state->setContent(QStringLiteral("folder"), sentence,
                              tr("A project is a folder that keeps runs, points and checkpoints together."),
                              {m_actions.openProject, m_actions.newProject});
        return;
    }
    for (EmptyState* state : {m_monitor->emptyState(), m_runs->emptyState()})
        state->setContent(QStringLiteral("runs"), tr("No runs yet. Start one from a configuration."),
                          tr("Runs that the headless trainyard starts in this project appear here too."),
                          {m_actions.newRun, m_actions.start});
    m_checkpoints->emptyState()->setContent(
        QStringLiteral("checkpoints"), tr("No checkpoints yet."),
        project->runs.empty() ? tr("A run saves them as it learns (train.checkpoint_every).")
                              : tr("This run has saved none yet (train.checkpoint_every)."),
        project->runs.empty() ? QList<QAction*>{m_actions.newRun} : QList<QAction*>{m_actions.checkpointNow});
}

void MainWindow::enableActions() {
    const auto project = m_store->snapshot();
    const bool canWrite = project && !project->isReadOnly;
    const bool canStart = canWrite && m_engine.isReady() && !m_engine.isBusy();
    const EngineState& state = m_engine.state();
    const auto view = shownView();
    m_actions.start->setEnabled(canStart);
    m_actions.resume->setEnabled(canStart && view && view->canResume());
    const bool isDone = view && view->status == RunStatus::Finished;
    m_actions.resume->setVisible(!isDone);
    m_actions.further->setVisible(isDone);
    const bool isRead = project && project->shownRun == m_store->shownRun(); // its configuration, too
    m_actions.further->setEnabled(canStart && isDone && isRead);
    m_actions.resumeChanged->setEnabled(canStart && isRead && view && (view->canResume() || isDone));
    const bool isPausable = state.isBusy && state.status != RunStatus::Stopping;
    const bool isPaused = state.isBusy && state.status == RunStatus::Paused;
    m_actions.pause->setEnabled(isPausable);
    m_actions.pause->setText(isPaused ? tr("Go On") : tr("Pause"));
    m_actions.pause->setIcon(theme::icon(isPaused ? QStringLiteral("start") : QStringLiteral("pause")));
    m_actions.stop->setEnabled(isPausable);
    m_actions.checkpointNow->setEnabled(isPausable);
    m_actions.evaluateNow->setEnabled(isPausable);
    m_actions.reuse->setEnabled(view.has_value());
    m_actions.openRun->setEnabled(view.has_value());
    m_actions.rename->setEnabled(canWrite && view);
    m_actions.deleteRun->setEnabled(canWrite && view);
    const bool isEdited = canWrite && view && page() == Runs;
    for (QAction* action : {m_actions.editTags, m_actions.editGroup, m_actions.editNotes})
        action->setEnabled(isEdited);
    m_actions.compare->setEnabled(page() == Runs && view);
    m_actions.restoreRun->setEnabled(canWrite && page() == Runs && m_runs->showsDeleted());
    m_actions.openFolder->setEnabled(view.has_value());
    m_actions.copyPath->setEnabled(view.has_value());
    m_actions.refresh->setEnabled(project != nullptr || page() == Data);
    m_actions.find->setEnabled(page() == Configure || page() == Data || page() == Runs);
    const auto chosen = m_checkpoints->selected();
    m_actions.resumeFrom->setEnabled(canStart && chosen.size() == 1 && !chosen.front().isMissing && view &&
                                     !view->isActive() && chosen.front().report.iteration < view->iterations);
    m_actions.pin->setEnabled(canWrite && !chosen.empty());
    m_actions.pin->setText(!chosen.empty() && chosen.front().isPinned ? tr("Unpin") : tr("Pin"));
    m_actions.deleteCheckpoint->setEnabled(canWrite && !chosen.empty());
}

void MainWindow::restoreSettings() {
    const auto project = m_store->snapshot();
    const QJsonObject settings = QJsonDocument::fromJson(QByteArray::fromStdString(project->windowSettings)).object();
    m_hasRestored = false;
    m_configure->setSettings(settings[QStringLiteral("configure")].toObject());
    m_data->setSettings(settings[QStringLiteral("data")].toObject());
    m_runs->setSettings(settings[QStringLiteral("runs")].toObject());
    m_checkpoints->setSettings(settings[QStringLiteral("checkpoints")].toObject());
    const auto run = std::int64_t(settings[QStringLiteral("run")].toDouble());
    if (project->find(run))
        m_store->setShownRun(run);
    if (const RunRecord* shown = project->find(m_store->shownRun()))
        m_monitor->setRun(shown->id, project->folder / shown->folder);
    m_monitor->setSettings(settings[QStringLiteral("monitor")].toObject());
    const int page = settings[QStringLiteral("page")].toInt(project->runs.empty() ? Configure : Monitor);
    showPage(Page(std::clamp(page, int(Configure), int(Checkpoints))));
    m_hasRestored = true;
}

void MainWindow::saveSettings() {
    QSettings settings;
    settings.setValue(QStringLiteral("geometry"), saveGeometry());
    settings.setValue(QStringLiteral("state"), saveState());
    const auto project = m_store->snapshot();
    if (!project || project->isReadOnly || !m_hasRestored)
        return;
    const QJsonObject object = {{QStringLiteral("page"), int(page())},
                                {QStringLiteral("run"), double(m_store->shownRun())},
                                {QStringLiteral("configure"), m_configure->settings()},
                                {QStringLiteral("data"), m_data->settings()},
                                {QStringLiteral("monitor"), m_monitor->settings()},
                                {QStringLiteral("runs"), m_runs->settings()},
                                {QStringLiteral("checkpoints"), m_checkpoints->settings()}};
    const std::string text = QJsonDocument(object).toJson(QJsonDocument::Compact).toStdString();
    m_store->perform([text](Project& each) { return each.setSetting("window", text); });
}

} // namespace trainyard
