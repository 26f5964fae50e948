// MainWindow: what can be done to runs and checkpoints.
#include "app/workbench/CommandBar.h"
#include "app/workbench/DetailsPanel.h"
#include "app/workbench/MainWindow.h"
#include "app/workbench/MessageBar.h"
#include "app/workbench/Rail.h"
#include "app/workbench/checkpoints/CheckpointsPage.h"
#include "app/workbench/configure/ConfigurePage.h"
#include "app/workbench/data/DataPage.h"
#include "app/workbench/runs/RunsPage.h"
#include "widgets/forms/YamlText.h"

#include <QAction>
#include <QApplication>
#include <QClipboard>
#include <QDesktopServices>
#include <QUrl>

namespace trainyard {

void MainWindow::connectLists() {
    connect(m_commands, &CommandBar::runChosen, m_store, &ProjectStore::setShownRun);
    connect(m_runs, &RunsPage::runChosen, m_store, &ProjectStore::setShownRun);
    connect(m_runs, &RunsPage::runOpened, this, [this](qint64 run) {
        m_store->setShownRun(run);
        showPage(Monitor);
    });
    connectRunEdits();
    connect(m_actions.openRun, &QAction::triggered, this, [this] { showPage(Monitor); });
    connect(m_actions.reuse, &QAction::triggered, this, &MainWindow::reuseConfiguration);
    connect(m_actions.deleteCheckpoint, &QAction::triggered, this, &MainWindow::deleteCheckpoints);
    connect(m_actions.pin, &QAction::triggered, this, &MainWindow::togglePin);
    connect(m_actions.resumeFrom, &QAction::triggered, this, [this] {
        const auto chosen = m_checkpoints->selected();
        if (chosen.size() == 1)
            resumeRun(chosen.front().run, chosen.front().id);
    });
    connect(m_actions.copyPath, &QAction::triggered, this,
            [this] { QApplication::clipboard()->setText(QString::fromStdString(chosenPath().string())); });
    connect(m_actions.openFolder, &QAction::triggered, this, [this] {
        std::filesystem::path path = chosenPath();
        if (page() == Checkpoints)
            path = path.parent_path();
        QDesktopServices::openUrl(QUrl::fromLocalFile(QString::fromStdString(path.string())));
    });
    connect(m_checkpoints, &CheckpointsPage::selectionChanged, this, &MainWindow::enableActions);
    connect(m_details, &DetailsPanel::tagsEdited, this, [this](qint64 run, const QStringList& tags) {
        tagRuns(run, tags.join(QLatin1Char(',')));
    });
    connect(m_details, &DetailsPanel::notesEdited, this, &MainWindow::noteRun);
}

void MainWindow::connectData() {
    const auto followConfig = [this] {
        const ConfigDocument* document = m_configure->document();
        if (document->isReadable()) // while it is not, what was read last stays
            m_data->source()->setConfig(document->parsed().config);
    };
    connect(m_configure->document(), &ConfigDocument::changed, this, followConfig);
    followConfig();
    connect(m_data, &DataPage::settingsChanged, &m_saveSoon, qOverload<>(&QTimer::start));
    connect(m_data, &DataPage::folderChosen, this, [this](const QString& path) {
        DatasetConfig entry;
        entry.path = path.toStdString();
        m_configure->document()->setValue(QStringLiteral("data.train"),
                                          QString::fromStdString(yaml::valueText(std::vector<DatasetConfig>{entry})));
    });
    connect(m_actions.refresh, &QAction::triggered, this, [this] {
        if (page() == Data)
            m_data->source()->lookAgain();
    });
    const auto mark = [this] { m_rail->setAttention(Data, m_data->source()->wantsAttention()); };
    connect(m_data->source(), &DataSource::changed, this, mark);
    connect(m_data->source(), &DataSource::problemsChanged, this, mark);
    connect(&m_engine, &EngineClient::ready, this, [this] { m_data->source()->setEngine(m_engine.engine()); });
    connect(&m_engine, &EngineClient::loadFailed, m_data->source(), &DataSource::setEngineTrouble);
}

void MainWindow::deleteCheckpoints() {
    const auto chosen = m_checkpoints->selected();
    const auto project = m_store->snapshot();
    if (chosen.empty() || !project || project->isReadOnly)
        return;
    std::vector<std::int64_t> ids;
    for (const CheckpointRecord& checkpoint : chosen)
        ids.push_back(checkpoint.id);
    m_store->perform([ids](Project& each) -> Result<void> {
        for (const std::int64_t id : ids)
            if (auto done = each.deleteCheckpoint(id); !done)
                return done;
        return {};
    });
    m_messages->post({QStringLiteral("undo-checkpoint"), theme::Tone::Quiet,
                      tr("%n checkpoint(s) deleted. Their files go when the window closes.", nullptr, int(ids.size())),
                      tr("Undo"), [this, ids] {
                          m_store->perform([ids](Project& each) -> Result<void> {
                              for (const std::int64_t id : ids)
                                  if (auto done = each.restoreCheckpoint(id); !done)
                                      return done;
                              return {};
                          });
                      }});
}

void MainWindow::togglePin() {
    const auto chosen = m_checkpoints->selected();
    if (chosen.empty())
        return;
    const bool pins = !chosen.front().isPinned;
    std::vector<std::int64_t> ids;
    for (const CheckpointRecord& checkpoint : chosen)
        ids.push_back(checkpoint.id);
    m_store->perform([ids, pins](Project& each) -> Result<void> {
        for (const std::int64_t id : ids)
            if (auto done = each.setPinned(id, pins); !done)
                return done;
        return {};
    });
}

void MainWindow::reuseConfiguration() {
    const auto project = m_store->snapshot();
    const RunRecord* run = project ? project->shown() : nullptr;
    if (!run)
        return;
    m_configure->loadText(QString::fromStdString(project->provenance.config),
                          tr("Load the configuration of %1").arg(runTitle(*run)));
    m_configure->setRunName(QString::fromStdString(run->name));
    showPage(Configure);
}

std::filesystem::path MainWindow::chosenPath() const {
    const auto project = m_store->snapshot();
    const RunRecord* run = project ? project->shown() : nullptr;
    if (!run)
        return {};
    const std::filesystem::path folder = project->folder / run->folder;
    const auto chosen = m_checkpoints->selected();
    if (page() == Checkpoints && !chosen.empty())
        return folder / chosen.front().report.path;
    return folder;
}

} // namespace trainyard
