// MainWindow: starting, pausing, stopping, resuming, and what the engine says.
#include "app/workbench/CommandBar.h"
#include "app/workbench/MainWindow.h"
#include "app/workbench/MessageBar.h"
#include "app/workbench/StatusLine.h"
#include "app/workbench/configure/ConfigurePage.h"
#include "app/workbench/configure/Forecaster.h"
#include "app/workbench/log/LogPanel.h"
#include "app/workbench/resume/ResumeDialog.h"
#include "core/base/Log.h"
#include "core/config/ConfigFile.h"

#include <QAction>
#include <QCheckBox>
#include <QCloseEvent>

namespace trainyard {

void MainWindow::connectEngine() {
    connect(&m_engine, &EngineClient::ready, this, [this] {
        m_status->setDevice(m_engine.device());
        m_configure->forecaster()->setEngine(m_engine.engine());
        enableActions();
        carryOutPreset();
    });
    connect(&m_engine, &EngineClient::loadFailed, this, [this](const QString& reason) {
        m_messages->post(
            {QStringLiteral("engine"),
             theme::Tone::Bad,
             tr("The engine could not be loaded, so nothing can be trained from this window. %1").arg(reason),
             {},
             {}});
        log::error("The engine could not be loaded: {}", reason.toStdString());
    });
    connect(&m_engine, &EngineClient::stateChanged, this, [this] {
        showState();
        tellEngineTrouble();
        if (m_isClosing && !m_engine.isBusy())
            close();
    });
    connect(&m_engine, &EngineClient::started, this, &MainWindow::onStarted);
    connect(&m_engine, &EngineClient::startFailed, this, &MainWindow::complain);
    connect(m_actions.start, &QAction::triggered, this, &MainWindow::startRun);
    connect(m_actions.pause, &QAction::triggered, this, &MainWindow::togglePause);
    connect(m_actions.stop, &QAction::triggered, this, [this] { m_engine.send(Command::Kind::Stop); });
    connect(m_actions.checkpointNow, &QAction::triggered, this,
            [this] { m_engine.send(Command::Kind::CheckpointNow); });
    connect(m_actions.evaluateNow, &QAction::triggered, this, [this] { m_engine.send(Command::Kind::EvaluateNow); });
    connect(m_actions.resume, &QAction::triggered, this, [this] { resumeRun(m_store->shownRun()); });
    connect(m_actions.further, &QAction::triggered, this, [this] { planResume(false); });
    connect(m_actions.resumeChanged, &QAction::triggered, this, [this] { planResume(true); });
}

void MainWindow::startRun() {
    const auto project = m_store->snapshot();
    if (!project || !m_engine.isReady() || m_engine.isBusy())
        return;
    const ParsedConfig& parsed = m_configure->document()->parsed();
    if (!parsed.isGood() || !m_configure->document()->isReadable()) {
        showPage(Configure);
        m_messages->post({QStringLiteral("start"), theme::Tone::Bad,
                          tr("The configuration has to be mended before it can start: %1")
                              .arg(QString::fromStdString(parsed.problems.front().message)),
                          tr("Show"), [this] { m_configure->showFirstProblem(); }});
        return;
    }
    if (parsed.config.data.train.empty()) {
        showPage(Configure);
        m_messages->post({QStringLiteral("start"),
                          theme::Tone::Bad,
                          tr("There is nothing to learn from yet: add a dataset under data, train."),
                          {},
                          {}});
        return;
    }
    m_messages->withdraw(QStringLiteral("start"));
    TrainingRequest request;
    request.project = project->folder;
    request.config = parsed.config;
    request.name = m_configure->runName().toStdString();
    m_engine.start(request);
}

void MainWindow::togglePause() {
    m_engine.send(m_engine.state().status == RunStatus::Paused ? Command::Kind::Resume : Command::Kind::Pause);
}

void MainWindow::resumeRun(std::int64_t run, std::optional<std::int64_t> fromCheckpoint, const ResumeChoice& choice) {
    const auto project = m_store->snapshot();
    if (!project || run == 0 || m_engine.isBusy())
        return;
    if (!m_engine.isReady()) {
        m_messages->post({QStringLiteral("start"), theme::Tone::Busy, tr("The engine is still being loaded."),
                          tr("Try Again"),
                          [this, run, fromCheckpoint, choice] { resumeRun(run, fromCheckpoint, choice); }});
        return;
    }
    m_resumedFrom = fromCheckpoint;
    m_resumeChoice = choice;
    TrainingRequest request;
    request.project = project->folder;
    request.run = run;
    request.fromCheckpoint = fromCheckpoint;
    request.overrides = choice.overrides;
    request.further = choice.further;
    request.acceptChanges = choice.acceptChanges;
    m_engine.start(request);
}

/// Shows what going on would mean and goes on when it is agreed to.
void MainWindow::planResume(bool takesChanges) {
    const auto project = m_store->snapshot();
    const RunRecord* run = project ? project->shown() : nullptr;
    if (!run || run->id != m_store->shownRun() || m_engine.isBusy())
        return; // the configuration of the run that was just chosen is still being read
    const ParsedConfig stored = parseConfig(project->provenance.config, "config.yaml");
    if (!stored.isGood())
        return complain(stored.error());
    const ParsedConfig& page = m_configure->document()->parsed();
    const bool isUsable = page.isGood() && m_configure->document()->isReadable() && !page.places.empty();
    auto* dialog = new ResumeDialog(*run, stored.config, isUsable ? std::optional(page.config) : std::nullopt, this);
    dialog->takeChanges()->setChecked(takesChanges);
    connect(dialog, &ResumeDialog::decided, this,
            [this, id = run->id](const ResumeChoice& choice) { resumeRun(id, std::nullopt, choice); });
    dialog->open();
}

void MainWindow::onStarted(qint64 run) {
    m_toldError.clear();
    m_toldWarnings = 0;
    m_followedRun = run;
    m_messages->withdraw(QStringLiteral("failed"));
    m_messages->withdraw(QStringLiteral("lost"));
    m_store->setShownRun(run);
    m_store->refresh();
    showPage(Monitor);
    if (m_isClosing)
        m_engine.send(Command::Kind::Stop);
}

void MainWindow::tellEngineTrouble() {
    const EngineState& state = m_engine.state();
    for (; m_toldWarnings < state.warnings.size(); ++m_toldWarnings)
        m_messages->post({QStringLiteral("warning"), theme::Tone::Warning,
                          QString::fromStdString(state.warnings[m_toldWarnings]), tr("Show Log"),
                          [this] { m_log->show(); }});
    if (state.isBusy || !state.error || m_followedRun == 0)
        return;
    const QString sentence = QString::fromStdString(state.error->sentence());
    if (sentence == m_toldError || state.error->kind == ErrorKind::Interrupted)
        return;
    m_toldError = sentence;
    m_store->refresh();
    if (state.isChangeRefused) {
        m_messages->post({QStringLiteral("failed"), theme::Tone::Warning,
                          tr("Run #%1: %2").arg(state.run).arg(QString::fromStdString(state.error->what)),
                          tr("Go On All the Same"),
                          [this, run = state.run, from = m_resumedFrom, choice = m_resumeChoice]() mutable {
                              choice.acceptChanges = true;
                              resumeRun(run, from, choice);
                          }});
        return;
    }
    const QString what = state.isDiscarded ? tr("The run could not start; nothing of it was kept. %1").arg(sentence)
                                           : tr("Run #%1 failed. %2").arg(state.run).arg(sentence);
    m_messages->post({QStringLiteral("failed"), theme::Tone::Bad, what, tr("Show Log"), [this] { m_log->show(); }});
}

void MainWindow::carryOutPreset() {
    const auto project = m_store->snapshot();
    if (m_plan.preset.isEmpty() || !project || !m_engine.isReady() || m_engine.isBusy() || project->isReadOnly)
        return;
    const QString preset = std::exchange(m_plan.preset, {});
    const QString runName = m_plan.runName.isEmpty() ? preset : m_plan.runName;
    const std::string name = runName.toStdString();
    for (auto run = project->runs.rbegin(); run != project->runs.rend(); ++run) {
        if (run->name != name)
            continue;
        m_store->setShownRun(run->id);
        showPage(Monitor);
        if (run->status == RunStatus::Lost || run->status == RunStatus::Stopped)
            resumeRun(run->id);
        return;
    }
    const QString trouble = m_configure->loadPreset(preset);
    if (!trouble.isEmpty()) {
        m_messages->post({QStringLiteral("start"), theme::Tone::Bad, trouble, {}, {}});
        return;
    }
    m_configure->setRunName(runName);
    startRun();
}

void MainWindow::closeEvent(QCloseEvent* event) {
    if (m_engine.isBusy()) {
        event->ignore();
        if (m_isClosing)
            return;
        m_isClosing = true;
        m_engine.send(Command::Kind::Stop);
        m_messages->post({QStringLiteral("closing"), theme::Tone::Busy,
                          tr("Saving a checkpoint before the window closes; the run can be resumed."), tr("Keep Open"),
                          [this] { m_isClosing = false; }});
        return;
    }
    saveSettings();
    if (const auto project = m_store->snapshot(); project && !project->isReadOnly)
        m_store->perform([](Project& each) { return each.purge(); });
    QMainWindow::closeEvent(event);
}

void MainWindow::showEvent(QShowEvent* event) {
    QMainWindow::showEvent(event);
    if (std::exchange(m_hasLoadedEngine, true) || m_engine.isReady())
        return;
    QTimer::singleShot(0, this, [this] { m_engine.load(); }); // after the first paint
}

} // namespace trainyard
