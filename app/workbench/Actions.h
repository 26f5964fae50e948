#pragma once

#include <QObject>

#include <vector>

class QAction;
class QActionGroup;
class QKeySequence;

namespace trainyard {

/// Every action of the window, declared once: menus, command bar, rail, context menus and shortcuts share these. The
/// main window connects and enables them. UI thread only.
class Actions final : public QObject {
    Q_OBJECT
public:
    explicit Actions(QWidget* window);

    // project
    QAction *openProject, *newProject, *refresh, *quit;
    // work
    QAction *start, *pause, *stop, *checkpointNow, *evaluateNow, *resume, *further, *resumeChanged;
    // configuration
    QAction *newRun, *openConfig, *saveConfig, *undo, *redo;
    // runs and checkpoints
    QAction *openRun, *reuse, *rename, *deleteRun, *restoreRun, *compare, *editTags, *editGroup, *editNotes, *openFolder, *copyPath;
    QAction *resumeFrom, *pin, *deleteCheckpoint;
    // window
    QAction *find, *goTo, *help, *shortcuts, *details, *log, *zoomIn, *zoomOut, *showAll;
    std::vector<QAction*> pages; ///< in the order of the rail
    QActionGroup* themes;

    /// All that go-to-anything offers.
    const std::vector<QAction*>& all() const { return m_all; }

private:
    QAction* make(const QString& text, const QString& icon, const QList<QKeySequence>& shortcuts, const QString& tip);
    void makeProjectActions();
    void makeWorkActions();
    void makeListActions();
    void makeWindowActions();

    QWidget* m_window;
    std::vector<QAction*> m_all;
};

} // namespace trainyard
