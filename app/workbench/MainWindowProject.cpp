// MainWindow: opening a project, what stands in the way of it, and what happens to its runs elsewhere.
#include "app/workbench/MainWindow.h"
#include "app/workbench/MessageBar.h"
#include "app/workbench/log/LogPanel.h"
#include "core/base/Log.h"
#include "widgets/theme/StateLook.h"

#include <QAction>
#include <QDir>
#include <QSettings>

namespace trainyard {
namespace {

constexpr int kOpeningLongMilliseconds = 1000;

bool isUnderWay(RunStatus status) {
    return status == RunStatus::Preparing || status == RunStatus::Running || status == RunStatus::Paused ||
           status == RunStatus::Stopping;
}

/// Whether the way out that the error names is to make the index anew.
bool asksToRebuild(const Error& error) {
    return error.remedy.find("project rebuild") != std::string::npos;
}

/// What was saved; of many runs the first few, the log has them all.
QString rebuiltText(const QStringList& found) {
    constexpr qsizetype kShown = 4;
    QString text = MainWindow::tr("The project's index was made anew.");
    for (const QString& sentence : found.mid(0, kShown))
        text += QLatin1Char(' ') + sentence;
    return found.size() > kShown ? text + MainWindow::tr(" And more.") : text;
}

} // namespace

void MainWindow::carryOut(const StartupPlan& plan) {
    m_plan = plan;
    std::filesystem::path folder = plan.project;
    if (folder.empty()) {
        const auto nearest = Project::nearest(QDir::currentPath().toStdString());
        folder = nearest ? *nearest
                         : std::filesystem::path(QSettings().value(QStringLiteral("project")).toString().toStdString());
        std::error_code ignored; // a folder that cannot be asked about is not reopened
        if (!folder.empty() && !std::filesystem::exists(folder / "project.sqlite", ignored))
            folder.clear();
    }
    if (!folder.empty())
        openProject(folder, plan.create);
    else
        m_messages->post({QStringLiteral("open"), theme::Tone::Quiet,
                          tr("No project is open. A run lives in a project: a folder of your choice."),
                          tr("Create Project…"), [this] { m_actions.newProject->trigger(); }});
}

void MainWindow::openProject(const std::filesystem::path& folder, bool create) {
    if (m_engine.isBusy()) {
        m_messages->post({QStringLiteral("open"),
                          theme::Tone::Warning,
                          tr("A run is training here. Stop it, or open the other project in a second window."),
                          {},
                          {}});
        return;
    }
    if (m_store->isOpen())
        saveSettings();
    m_openingFolder = folder;
    m_statuses.clear();
    m_openingLong.start(kOpeningLongMilliseconds);
    m_store->open(folder, create);
}

void MainWindow::connectStore() {
    connect(m_store, &ProjectStore::opened, this, &MainWindow::onOpened);
    connect(m_store, &ProjectStore::openFailed, this, &MainWindow::onOpenFailed);
    connect(m_store, &ProjectStore::rebuilt, this, [this](const QStringList& found) {
        m_messages->post({QStringLiteral("rebuilt"), theme::Tone::Good, rebuiltText(found), tr("Show Log"),
                          [this] { m_log->show(); }});
        for (const QString& sentence : found)
            log::info("{}", sentence.toStdString());
    });
    connect(m_store, &ProjectStore::changed, this, [this] {
        showProject();
        showState();
        tellEndedElsewhere();
    });
    connect(m_store, &ProjectStore::shownRunChanged, this, [this] {
        showProject();
        showState();
    });
    connect(m_store, &ProjectStore::failed, this, &MainWindow::complain);
    m_openingLong.setSingleShot(true);
    connect(&m_openingLong, &QTimer::timeout, this, [this] {
        m_messages->post(
            {QStringLiteral("open"),
             theme::Tone::Busy,
             tr("Opening %1… Another program may be holding it.").arg(QString::fromStdString(m_openingFolder.string())),
             {},
             {}});
    });
}

void MainWindow::onOpened() {
    m_openingLong.stop();
    m_openTrouble.clear();
    m_messages->withdraw(QStringLiteral("open"));
    m_messages->withdraw(QStringLiteral("read-only"));
    const auto project = m_store->snapshot();
    const QString folderName = QString::fromStdString(project->folder.string());
    QSettings().setValue(QStringLiteral("project"), folderName);
    setWindowTitle(tr("%1 – Trainyard").arg(QDir(QDir(folderName).absolutePath()).dirName()));
    if (project->isReadOnly)
        m_messages->post({QStringLiteral("read-only"), theme::Tone::Warning,
                          tr("This project cannot be written to. Everything can be looked at, nothing can be changed."),
                          tr("Try Again"), [this, folder = project->folder] { openProject(folder, false); }});
    m_runEdits.clear(); // they are about the project before
    restoreSettings();
    showProject();
    const RunRecord* shown = project->find(m_store->shownRun()); // the restored one, not the newest
    if (shown && shown->status == RunStatus::Lost && m_plan.preset.isEmpty() && !project->isReadOnly)
        offerLost(*shown);
    carryOutPreset();
}

void MainWindow::onOpenFailed(const Error& error) {
    m_openingLong.stop();
    m_openTrouble = QString::fromStdString(error.sentence());
    const auto folder = m_openingFolder;
    const auto again = [this, folder] { openProject(folder, false); };
    Message message{QStringLiteral("open"), theme::Tone::Bad, m_openTrouble, tr("Try Again"), again};
    if (asksToRebuild(error)) {
        message.button = tr("Rebuild Project");
        message.deed = [this, folder] { m_store->rebuild(folder); };
    }
    m_messages->post(message);
    log::error("{}", error.sentence());
    showProject();
}

void MainWindow::offerLost(const RunRecord& run) {
    const auto project = m_store->snapshot();
    const bool startsOver = project && project->startsOver.contains(run.id);
    const QString sentence =
        startsOver ? tr("The program that trained %1 died before its first checkpoint. It can start over.")
                   : tr("The program that trained %1 died. It can go on from its newest checkpoint.");
    m_messages->post({QStringLiteral("lost"), theme::Tone::Warning, sentence.arg(runTitle(run)),
                      startsOver ? tr("Start Over") : tr("Resume"), [this, id = run.id] { resumeRun(id); }});
}

/// A run of another process ended, or its owner died, while this window was looking.
void MainWindow::tellEndedElsewhere() {
    const auto project = m_store->snapshot();
    if (!project)
        return;
    for (const RunRecord& run : project->runs) {
        const auto before = m_statuses.find(run.id);
        const bool hasEnded = before != m_statuses.end() && isUnderWay(before->second) && !isUnderWay(run.status);
        m_statuses[run.id] = run.status;
        if (!hasEnded || run.id == m_followedRun)
            continue; // this window's engine says it itself
        if (run.status == RunStatus::Lost && !project->isReadOnly)
            offerLost(run);
        else if (run.status == RunStatus::Failed)
            m_messages->post(
                {QStringLiteral("failed"), theme::Tone::Bad,
                 tr("%1 failed in another process. %2").arg(runTitle(run), QString::fromStdString(run.error)),
                 tr("Show Log"), [this, id = run.id] {
                     m_store->setShownRun(id);
                     m_log->show();
                 }});
    }
}

} // namespace trainyard
