#include "app/workbench/MainWindow.h"

#include "app/workbench/CommandBar.h"
#include "app/workbench/DetailsPanel.h"
#include "app/workbench/GoTo.h"
#include "app/workbench/HelpPanel.h"
#include "app/workbench/MessageBar.h"
#include "app/workbench/Rail.h"
#include "app/workbench/StatusLine.h"
#include "app/workbench/checkpoints/CheckpointsPage.h"
#include "app/workbench/configure/ConfigurePage.h"
#include "app/workbench/data/DataPage.h"
#include "app/workbench/log/LogPanel.h"
#include "app/workbench/monitor/MonitorPage.h"
#include "app/workbench/runs/RunsPage.h"
#include "widgets/forms/ConfigForm.h"
#include "widgets/forms/FieldRow.h"
#include "widgets/theme/Icon.h"

#include <QAction>
#include <QActionGroup>
#include <QFileDialog>
#include <QMenuBar>
#include <QSettings>
#include <QStackedWidget>

#include <array>

namespace trainyard {
namespace {

constexpr int kSaveMilliseconds = 1500;

} // namespace

MainWindow::MainWindow(QWidget* parent) : QMainWindow(parent), m_actions(this), m_store(new ProjectStore(this)) {
    setWindowTitle(tr("Trainyard"));
    setWindowIcon(QIcon(QStringLiteral(":/icons/trainyard.svg")));
    setDockOptions(QMainWindow::AllowTabbedDocks);
    setContextMenuPolicy(Qt::PreventContextMenu);
    m_pages = new QStackedWidget(this);
    m_configure = new ConfigurePage(m_actions, this);
    m_data = new DataPage(m_actions, std::make_shared<ThumbnailCache>(), this);
    m_monitor = new MonitorPage(this);
    m_runs = new RunsPage(m_actions, this);
    m_checkpoints = new CheckpointsPage(m_actions, this);
    for (QWidget* page : std::initializer_list<QWidget*>{m_configure, m_data, m_monitor, m_runs, m_checkpoints})
        m_pages->addWidget(page);
    setCentralWidget(m_pages);
    makeBars();
    makePanels();
    makeMenus();
    connectActions();
    connectPages();
    connectData();
    connectEngine();
    connectStore();
    connectLists();
    m_saveSoon.setSingleShot(true);
    m_saveSoon.setInterval(kSaveMilliseconds);
    connect(&m_saveSoon, &QTimer::timeout, this, &MainWindow::saveSettings);
    resize(fontMetrics().averageCharWidth() * 210, fontMetrics().lineSpacing() * 46);
    const QSettings settings;
    restoreGeometry(settings.value(QStringLiteral("geometry")).toByteArray());
    restoreState(settings.value(QStringLiteral("state")).toByteArray());
    m_messages->parentWidget()->setVisible(false);
    showPage(Configure);
    showProject();
    showState();
}

MainWindow::~MainWindow() = default;

void MainWindow::makeBars() {
    m_commands = new CommandBar(m_actions, this);
    addToolBar(Qt::TopToolBarArea, m_commands);
    m_rail = new Rail(m_actions.pages, this);
    addToolBar(Qt::LeftToolBarArea, m_rail);
    auto* messageArea = new QToolBar(tr("Messages"), this);
    messageArea->setObjectName(QStringLiteral("messages"));
    messageArea->setMovable(false);
    messageArea->setContextMenuPolicy(Qt::PreventContextMenu);
    m_messages = new MessageBar(messageArea);
    m_messages->setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Preferred);
    messageArea->addWidget(m_messages);
    addToolBar(Qt::BottomToolBarArea, messageArea);
    messageArea->hide();
    connect(m_messages, &MessageBar::shownChanged, messageArea, &QWidget::setVisible);
    m_status = new StatusLine(this);
    setStatusBar(m_status);
}

void MainWindow::makePanels() {
    m_log = new LogPanel(this);
    addDockWidget(Qt::BottomDockWidgetArea, m_log);
    m_details = new DetailsPanel(this);
    addDockWidget(Qt::RightDockWidgetArea, m_details);
    m_help = new HelpPanel(this);
    addDockWidget(Qt::RightDockWidgetArea, m_help);
    tabifyDockWidget(m_details, m_help); // each needs the whole height
    const auto bind = [](QAction* action, QDockWidget* panel) {
        panel->hide();
        connect(action, &QAction::triggered, panel, [panel](bool isShown) {
            panel->setVisible(isShown);
            if (isShown)
                panel->raise();
        });
        connect(panel->toggleViewAction(), &QAction::toggled, action, &QAction::setChecked);
    };
    bind(m_actions.log, m_log);
    bind(m_actions.details, m_details);
    bind(m_actions.help, m_help);
    connect(m_actions.help, &QAction::triggered, this, [this](bool isShown) {
        static constexpr std::array names = {"configure", "data", "monitor", "runs", "runs"};
        if (isShown)
            m_help->open(m_store->isOpen() ? QLatin1String(names[std::size_t(page())]) : QLatin1String("start"));
    });
}

void MainWindow::makeMenus() {
    QMenu* project = menuBar()->addMenu(tr("&Project"));
    project->addActions({m_actions.openProject, m_actions.newProject, m_actions.refresh});
    project->addSeparator();
    project->addActions({m_actions.openConfig, m_actions.saveConfig});
    project->addSeparator();
    project->addAction(m_actions.quit);
    QMenu* edit = menuBar()->addMenu(tr("&Edit"));
    edit->addActions({m_actions.undo, m_actions.redo});
    edit->addSeparator();
    edit->addActions({m_actions.rename, m_actions.editTags, m_actions.editGroup, m_actions.editNotes});
    edit->addActions({m_actions.deleteRun, m_actions.restoreRun});
    edit->addSeparator();
    edit->addActions({m_actions.compare, m_actions.find, m_actions.goTo});
    QMenu* run = menuBar()->addMenu(tr("&Run"));
    run->addActions({m_actions.newRun, m_actions.start});
    run->addSeparator();
    run->addActions({m_actions.pause, m_actions.stop, m_actions.checkpointNow, m_actions.evaluateNow});
    run->addSeparator();
    run->addActions({m_actions.resume, m_actions.further, m_actions.resumeChanged, m_actions.reuse});
    QMenu* view = menuBar()->addMenu(tr("&View"));
    for (QAction* page : m_actions.pages)
        view->addAction(page);
    view->addSeparator();
    view->addActions({m_actions.log, m_actions.details});
    view->addSeparator();
    view->addActions({m_actions.zoomIn, m_actions.zoomOut, m_actions.showAll});
    view->addSeparator();
    view->addActions(m_actions.themes->actions());
    QMenu* help = menuBar()->addMenu(tr("&Help"));
    help->addActions({m_actions.help, m_actions.shortcuts});
}

void MainWindow::connectActions() {
    connect(m_actions.openProject, &QAction::triggered, this, [this] { chooseFolder(false); });
    connect(m_actions.newProject, &QAction::triggered, this, [this] { chooseFolder(true); });
    connect(m_actions.refresh, &QAction::triggered, m_store, &ProjectStore::refresh);
    connect(m_actions.quit, &QAction::triggered, this, &QWidget::close);
    for (int at = 0; at < int(m_actions.pages.size()); ++at)
        connect(m_actions.pages[std::size_t(at)], &QAction::triggered, this, [this, at] { showPage(Page(at)); });
    connect(m_actions.goTo, &QAction::triggered, this, &MainWindow::goToAnything);
    connect(m_actions.find, &QAction::triggered, this, [this] {
        if (page() == Configure)
            m_configure->find();
        else if (page() == Data)
            m_data->find();
        else if (page() == Runs)
            m_runs->find();
    });
    connect(m_actions.shortcuts, &QAction::triggered, this, [this] {
        m_help->show();
        m_help->open(QStringLiteral("keyboard"));
    });
    const auto zoom = [this](int by) {
        if (page() == Configure)
            m_configure->zoom(by);
        else if (page() == Data)
            m_data->zoom(by);
        else if (page() == Monitor)
            m_monitor->zoom(by > 0 ? 0.5 : 2.0);
        else if (page() == Runs)
            m_runs->zoom(by > 0 ? 0.5 : 2.0);
    };
    connect(m_actions.zoomIn, &QAction::triggered, this, [zoom] { zoom(1); });
    connect(m_actions.zoomOut, &QAction::triggered, this, [zoom] { zoom(-1); });
    connect(m_actions.showAll, &QAction::triggered, this, [this] {
        if (page() == Runs)
            m_runs->showAll();
        else
            m_monitor->showAll();
    });
    connect(m_actions.themes, &QActionGroup::triggered, this, [](const QAction* action) {
        theme::apply(theme::Choice(action->data().toInt()));
        QSettings().setValue(QStringLiteral("theme"), action->data());
    });
    m_actions.themes->actions().at(int(theme::current()))->setChecked(true);
}

void MainWindow::connectPages() {
    connect(m_configure, &ConfigurePage::messageRaised, this, [this](const QString& text) {
        m_messages->post({QStringLiteral("configure"), theme::Tone::Bad, text, {}, {}});
    });
    connect(m_monitor, &MonitorPage::messageRaised, this, [this](const QString& text) {
        m_messages->post({QStringLiteral("monitor"), theme::Tone::Bad, text, {}, {}});
    });
    connect(m_configure->document(), &ConfigDocument::changed, this, [this] {
        if (m_configure->document()->isReadable() && m_configure->document()->parsed().isGood())
            m_messages->withdraw(QStringLiteral("start"));
    });
    connect(m_configure, &ConfigurePage::settingsChanged, &m_saveSoon, qOverload<>(&QTimer::start));
    connect(m_monitor, &MonitorPage::settingsChanged, &m_saveSoon, qOverload<>(&QTimer::start));
    connect(m_actions.newRun, &QAction::triggered, this, [this] {
        showPage(Configure);
        m_configure->presetMenu()->popup(
            m_configure->mapToGlobal(QPoint(theme::quarter(this) * 4, theme::quarter(this) * 9)));
    });
    connect(m_actions.openConfig, &QAction::triggered, this, [this] {
        auto* dialog = new QFileDialog(this, m_actions.openConfig->text(), {}, tr("Configurations (*.yaml *.yml)"));
        dialog->setAttribute(Qt::WA_DeleteOnClose);
        connect(dialog, &QFileDialog::fileSelected, this, [this](const QString& path) {
            showPage(Configure);
            const QString trouble = m_configure->loadFile(path);
            if (!trouble.isEmpty())
                m_messages->post({QStringLiteral("configure"), theme::Tone::Bad, trouble, {}, {}});
        });
        dialog->open();
    });
    connect(m_actions.saveConfig, &QAction::triggered, this, [this] {
        auto* dialog = new QFileDialog(this, m_actions.saveConfig->text(), {}, tr("Configurations (*.yaml *.yml)"));
        dialog->setAttribute(Qt::WA_DeleteOnClose);
        dialog->setAcceptMode(QFileDialog::AcceptSave);
        dialog->setDefaultSuffix(QStringLiteral("yaml"));
        connect(dialog, &QFileDialog::fileSelected, this, [this](const QString& path) {
            const QString trouble = m_configure->saveFile(path);
            if (!trouble.isEmpty())
                m_messages->post({QStringLiteral("configure"), theme::Tone::Bad, trouble, {}, {}});
        });
        dialog->open();
    });
    connect(m_actions.undo, &QAction::triggered, this, [this] {
        const Message* message = m_messages->current();
        if (page() == Configure)
            m_configure->document()->history()->undo();
        else if (undoRunEdit())
            return;
        else if (message && message->id.startsWith(QLatin1String("undo")))
            m_messages->act();
    });
    connect(m_actions.redo, &QAction::triggered, this, [this] {
        if (page() == Configure)
            m_configure->document()->history()->redo();
        else if (page() == Runs)
            m_runEdits.redo();
    });
}

void MainWindow::showPage(Page page) {
    m_pages->setCurrentIndex(page);
    for (int at = 0; at < int(m_actions.pages.size()); ++at)
        m_actions.pages[std::size_t(at)]->setChecked(at == page);
    enableActions();
    if (m_hasRestored)
        m_saveSoon.start();
}

MainWindow::Page MainWindow::page() const {
    return Page(m_pages->currentIndex());
}

void MainWindow::chooseFolder(bool create) {
    auto* dialog = new QFileDialog(this, create ? tr("Create Project in Folder") : tr("Open Project"));
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setFileMode(QFileDialog::Directory);
    dialog->setOption(QFileDialog::ShowDirsOnly);
    connect(dialog, &QFileDialog::fileSelected, this,
            [this, create](const QString& path) { openProject(path.toStdString(), create); });
    dialog->open();
}

void MainWindow::goToAnything() {
    std::vector<Destination> places;
    if (const auto project = m_store->snapshot())
        for (auto run = project->runs.rbegin(); run != project->runs.rend(); ++run)
            places.push_back({runTitle(*run), tr("run"), theme::icon(QStringLiteral("runs")), [this, id = run->id] {
                                  m_store->setShownRun(id);
                                  showPage(Monitor);
                              }});
    for (QAction* action : m_actions.all())
        if (action->isEnabled() && action != m_actions.goTo)
            places.push_back({action->text().remove(QLatin1Char('&')),
                              action->shortcut().toString(QKeySequence::NativeText), action->icon(),
                              [action] { action->trigger(); }});
    for (const Field& field : Schema::instance().fields())
        places.push_back({QString::fromStdString(field.key), QString::fromStdString(field.help),
                          theme::icon(QStringLiteral("configure")), [this, key = field.key] {
                              showPage(Configure);
                              m_configure->form()->focusKey(key);
                          }});
    auto* dialog = new GoTo(std::move(places), this);
    dialog->move(mapToGlobal(QPoint((width() - dialog->width()) / 2, fontMetrics().lineSpacing() * 4)));
    dialog->show();
}

} // namespace trainyard
