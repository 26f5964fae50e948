#include "app/workbench/Actions.h"

#include "widgets/theme/Icon.h"

#include <QAction>
#include <QActionGroup>
#include <QKeySequence>
#include <QWidget>

namespace trainyard {

Actions::Actions(QWidget* window) : QObject(window), m_window(window) {
    makeProjectActions();
    makeWorkActions();
    makeListActions();
    makeWindowActions();
}

QAction* Actions::make(const QString& text, const QString& icon, const QList<QKeySequence>& shortcuts,
                       const QString& tip) {
    auto* action = new QAction(text, this);
    if (!icon.isEmpty())
        action->setIcon(theme::icon(icon));
    action->setShortcuts(shortcuts);
    QString full = tip;
    if (!shortcuts.isEmpty() && !shortcuts.front().isEmpty())
        full += QStringLiteral(" (%1)").arg(shortcuts.front().toString(QKeySequence::NativeText));
    action->setToolTip(full);
    action->setStatusTip(tip);
    m_window->addAction(action);
    m_all.push_back(action);
    return action;
}

void Actions::makeProjectActions() {
    openProject = make(tr("Open Project…"), QStringLiteral("open"), {QKeySequence(QKeySequence::Open)},
                       tr("Open a folder that holds a project"));
    newProject = make(tr("Create Project…"), QStringLiteral("new"), {}, tr("Make an empty project in a folder"));
    refresh = make(tr("Read Again"), QStringLiteral("reset"), {QKeySequence(Qt::Key_F5)},
                   tr("Read the project from disk again"));
    quit = make(tr("Quit"), QStringLiteral("close"), {QKeySequence(Qt::CTRL | Qt::Key_Q)},
                tr("Save what is running and close the window"));
}

void Actions::makeWorkActions() {
    start = make(tr("Start"), QStringLiteral("start"), {QKeySequence(Qt::CTRL | Qt::Key_Return)},
                 tr("Start a new run from the configuration"));
    pause = make(tr("Pause"), QStringLiteral("pause"), {QKeySequence(Qt::CTRL | Qt::Key_P)},
                 tr("Pause the run between two iterations; it keeps its exact state"));
    stop = make(tr("Stop"), QStringLiteral("stop"), {QKeySequence(Qt::CTRL | Qt::Key_Period)},
                tr("Stop the run and save a checkpoint; it can be resumed"));
    checkpointNow =
        make(tr("Save Checkpoint Now"), QStringLiteral("checkpoint-now"),
             {QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_S)}, tr("Save a checkpoint after this iteration"));
    evaluateNow = make(tr("Evaluate Now"), QStringLiteral("evaluate"), {QKeySequence(Qt::CTRL | Qt::Key_E)},
                       tr("Evaluate on the validation data after this iteration"));
    resume = make(tr("Resume"), QStringLiteral("resume"), {QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_Return)},
                  tr("Go on with this run from its newest good checkpoint"));
    further = make(tr("Train Further…"), QStringLiteral("resume"), {},
                   tr("Train this run for more iterations than were planned, with the learning rate shown first"));
    resumeChanged = make(tr("Resume with Changes…"), QStringLiteral("resume"), {},
                         tr("Go on with this run with values that differ in Configure, or for longer"));
    newRun = make(tr("New Run"), QStringLiteral("add"), {QKeySequence(QKeySequence::New)},
                  tr("Prepare a new run from a preset"));
    openConfig =
        make(tr("Open Configuration…"), QStringLiteral("open"), {}, tr("Read a configuration from a YAML file"));
    saveConfig = make(tr("Save Configuration As…"), QStringLiteral("save"), {QKeySequence(QKeySequence::Save)},
                      tr("Write the configuration to a YAML file"));
    undo = make(tr("Undo"), QStringLiteral("undo"), {QKeySequence(QKeySequence::Undo)}, tr("Take back the last edit"));
    redo = make(tr("Redo"), QStringLiteral("redo"), {QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_Z)},
                tr("Do again what was taken back"));
}

void Actions::makeListActions() {
    openRun = make(tr("Show in Monitor"), QStringLiteral("monitor"), {}, tr("Show the plots of this run"));
    reuse = make(tr("New Run from This Configuration"), QStringLiteral("configure"), {},
                 tr("Load this run's configuration into the Configure page"));
    rename = make(tr("Rename"), QStringLiteral("rename"), {QKeySequence(Qt::Key_F2)}, tr("Give the run another name"));
    compare = make(tr("Compare"), QStringLiteral("compare"), {QKeySequence(Qt::CTRL | Qt::Key_D)},
                   tr("Tick the selected runs for the comparison, or take their ticks away"));
    editTags = make(tr("Edit Tags"), QStringLiteral("rename"), {QKeySequence(Qt::CTRL | Qt::Key_T)},
                    tr("Edit tags, with commas between them; for all selected runs"));
    editGroup = make(tr("Edit Group"), {}, {}, tr("Name the group that the selected runs belong to"));
    editNotes = make(tr("Edit Notes"), {}, {}, tr("Write down what the run was for and what it taught"));
    restoreRun = make(tr("Restore Run"), QStringLiteral("undo"), {}, tr("Bring the selected deleted runs back"));
    deleteRun = make(tr("Delete Run"), QStringLiteral("delete"), {QKeySequence(QKeySequence::Delete)},
                     tr("Delete the selected runs; this can be undone"));
    openFolder = make(tr("Open Folder"), QStringLiteral("folder"), {}, tr("Show the run's folder in the file manager"));
    copyPath = make(tr("Copy Path"), QStringLiteral("copy"), {}, tr("Copy the path to the clipboard"));
    resumeFrom = make(tr("Resume from Here"), QStringLiteral("resume"), {},
                      tr("Go on from this checkpoint; what came after it stays as a grey tail"));
    pin = make(tr("Pin"), QStringLiteral("pin"), {}, tr("Keep this checkpoint whatever the retention rule says"));
    deleteCheckpoint = make(tr("Delete Checkpoint"), QStringLiteral("delete"), {QKeySequence(QKeySequence::Delete)},
                            tr("Delete the selected checkpoints; this can be undone"));
    for (QAction* action : {deleteRun, deleteCheckpoint}) {
        // each works on its own page only
        m_window->removeAction(action);
        action->setShortcutContext(Qt::WidgetWithChildrenShortcut);
    }
}

void Actions::makeWindowActions() {
    const auto page = [this](const QString& text, const char* icon) {
        const int number = int(pages.size()) + 1;
        QAction* action = make(text, QLatin1String(icon), {QKeySequence(Qt::CTRL | Qt::Key(Qt::Key_0 + number))},
                               tr("Go to the page %1").arg(text));
        action->setCheckable(true);
        pages.push_back(action);
    };
    page(tr("Configure"), "configure");
    page(tr("Data"), "data");
    page(tr("Monitor"), "monitor");
    page(tr("Runs"), "runs");
    page(tr("Checkpoints"), "checkpoints");
    find = make(tr("Find on This Page"), QStringLiteral("search"), {QKeySequence(QKeySequence::Find)},
                tr("Find on this page"));
    goTo = make(tr("Go to Anything…"), QStringLiteral("search"), {QKeySequence(Qt::CTRL | Qt::Key_K)},
                tr("Go to a page, a run, a key or an action by its name"));
    help = make(tr("Help"), QStringLiteral("help"), {QKeySequence(Qt::Key_F1)}, tr("Show the help beside the page"));
    help->setCheckable(true);
    shortcuts = make(tr("Keyboard Shortcuts"), {}, {}, tr("Every key that does something"));
    details = make(tr("Details"), QStringLiteral("details"), {QKeySequence(Qt::Key_F9)},
                   tr("Show what is selected in depth"));
    details->setCheckable(true);
    log = make(tr("Log"), QStringLiteral("log"), {QKeySequence(Qt::CTRL | Qt::Key_L)}, tr("Show the log"));
    log->setCheckable(true);
    zoomIn = make(tr("Zoom In"), QStringLiteral("add"),
                  {QKeySequence(QKeySequence::ZoomIn), QKeySequence(Qt::CTRL | Qt::Key_Equal)},
                  tr("Show fewer iterations in the plots, larger text in the YAML, larger pictures"));
    zoomOut = make(tr("Zoom Out"), {}, {QKeySequence(QKeySequence::ZoomOut)},
                   tr("Show more iterations in the plots, smaller text in the YAML, smaller pictures"));
    showAll = make(tr("Show All Iterations"), QStringLiteral("follow"), {QKeySequence(Qt::CTRL | Qt::Key_0)},
                   tr("Show every iteration and follow the newest"));
    themes = new QActionGroup(this);
    const QStringList names = {tr("System Colours"), tr("Light Colours"), tr("Dark Colours")};
    for (int choice = 0; choice < int(names.size()); ++choice) {
        QAction* action = make(names[choice], {}, {}, tr("Colours of the window"));
        action->setCheckable(true);
        action->setData(choice);
        themes->addAction(action);
    }
}

} // namespace trainyard
