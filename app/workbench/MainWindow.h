#pragma once

#include "app/workbench/Actions.h"
#include "app/workbench/EngineClient.h"
#include "app/workbench/ProjectStore.h"
#include "app/workbench/RunView.h"
#include "app/workbench/resume/ResumePlan.h"

#include <QMainWindow>
#include <QTimer>
#include <QUndoStack>

#include <map>

class QStackedWidget;

namespace trainyard {

class CheckpointsPage;
class CommandBar;
class ConfigurePage;
class DataPage;
class DetailsPanel;
class HelpPanel;
class LogPanel;
class MessageBar;
class MonitorPage;
class Rail;
class RunsPage;
class StatusLine;

/// What to do once the window stands, as the command line says it.
struct StartupPlan {
    std::filesystem::path project; ///< empty: the one opened last
    bool create = false;           ///< make the project where there is none
    QString preset;                ///< start it, or go on with its newest run that ended early; empty does neither
    QString runName;               ///< of that run; empty is the preset's name
};

/// One window, one project. Puts pages, bars and panels together and decides what each action does. UI thread only.
class MainWindow final : public QMainWindow {
    Q_OBJECT
public:
    enum Page { Configure, Data, Monitor, Runs, Checkpoints };

    explicit MainWindow(QWidget* parent = nullptr);
    ~MainWindow() override;

    void carryOut(const StartupPlan& plan);
    void openProject(const std::filesystem::path& folder, bool create);
    void showPage(Page page);
    Page page() const;

    Actions& actions() { return m_actions; }
    EngineClient& engine() { return m_engine; }
    ProjectStore& store() { return *m_store; }
    MessageBar* messages() const { return m_messages; }
    ConfigurePage* configurePage() const { return m_configure; }
    DataPage* dataPage() const { return m_data; }
    MonitorPage* monitorPage() const { return m_monitor; }
    RunsPage* runsPage() const { return m_runs; }
    CheckpointsPage* checkpointsPage() const { return m_checkpoints; }
    CommandBar* commandBar() const { return m_commands; }
    LogPanel* logPanel() const { return m_log; }

protected:
    void closeEvent(QCloseEvent* event) override;
    void showEvent(QShowEvent* event) override;

private:
    // MainWindow.cpp: how it is put together
    void makeBars();
    void makePanels();
    void makeMenus();
    void connectActions();
    void connectPages();
    void connectData();
    void goToAnything();
    void chooseFolder(bool create);
    // MainWindowWork.cpp: starting and stopping
    void connectEngine();
    void startRun();
    void togglePause();
    void resumeRun(std::int64_t run, std::optional<std::int64_t> fromCheckpoint = std::nullopt,
                   const ResumeChoice& choice = {});
    void planResume(bool takesChanges);
    void onStarted(qint64 run);
    void tellEngineTrouble();
    void carryOutPreset();
    // MainWindowLists.cpp: runs and checkpoints
    void connectLists();
    void deleteCheckpoints();
    void togglePin();
    void reuseConfiguration();
    std::filesystem::path chosenPath() const;
    // MainWindowRuns.cpp: edits of runs, which can be undone
    void connectRunEdits();
    std::vector<std::int64_t> together(std::int64_t run) const;
    void doUndoably(QUndoCommand* command);
    bool undoRunEdit();
    void renameRun(std::int64_t run, const QString& name);
    void tagRuns(std::int64_t run, const QString& text);
    void groupRuns(std::int64_t run, const QString& group);
    void noteRun(std::int64_t run, const QString& notes);
    void colourRuns(int colour);
    void deleteRuns();
    void restoreRuns();
    void tellProvenance(const std::vector<std::int64_t>& runs);
    // MainWindowProject.cpp: opening one, and what happens to its runs elsewhere
    void connectStore();
    void onOpened();
    void onOpenFailed(const Error& error);
    void offerLost(const RunRecord& run);
    void tellEndedElsewhere();
    // MainWindowState.cpp: what is shown and remembered
    void showProject();
    void showState();
    void showEmptyStates();
    void enableActions();
    void restoreSettings();
    void saveSettings();
    void complain(const Error& error);
    std::optional<RunView> shownView() const;

    Actions m_actions;
    EngineClient m_engine;
    ProjectStore* m_store;
    Rail* m_rail = nullptr;
    CommandBar* m_commands = nullptr;
    MessageBar* m_messages = nullptr;
    StatusLine* m_status = nullptr;
    LogPanel* m_log = nullptr;
    DetailsPanel* m_details = nullptr;
    HelpPanel* m_help = nullptr;
    QStackedWidget* m_pages = nullptr;
    ConfigurePage* m_configure = nullptr;
    DataPage* m_data = nullptr;
    MonitorPage* m_monitor = nullptr;
    RunsPage* m_runs = nullptr;
    CheckpointsPage* m_checkpoints = nullptr;
    QUndoStack m_runEdits;
    QTimer m_saveSoon;
    StartupPlan m_plan;
    QString m_openTrouble; ///< why the project could not be opened
    QString m_toldError;   ///< of the engine, so that it is told once
    std::size_t m_toldWarnings = 0;
    std::int64_t m_followedRun = 0;               ///< whose end is told
    std::optional<std::int64_t> m_resumedFrom;    ///< checkpoint that the last resume was asked from
    ResumeChoice m_resumeChoice;                  ///< of the last resume
    std::map<std::int64_t, RunStatus> m_statuses; ///< of all runs, as they were seen last
    std::filesystem::path m_openingFolder;
    QTimer m_openingLong; ///< says that opening takes its time
    bool m_isClosing = false;
    bool m_hasRestored = false;
    bool m_hasLoadedEngine = false;
};

} // namespace trainyard
