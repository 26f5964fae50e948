// MainWindow: edits of runs, each of which can be undone: name, tags, group, notes, colour, deleting, restoring.
#include "app/workbench/MainWindow.h"
#include "app/workbench/MessageBar.h"
#include "app/workbench/runs/RunsPage.h"

#include <QAction>
#include <QUndoCommand>

#include <algorithm>
#include <utility>

namespace trainyard {
namespace {

const QString kUndoRuns = QStringLiteral("undo-runs");

/// What is done to a project, and what takes it back. The store may be asked as often as one likes.
class RunsCommand final : public QUndoCommand {
public:
    using Deed = std::function<Result<void>(Project&)>;
    RunsCommand(const QString& text, ProjectStore* store, Deed there, Deed back)
        : QUndoCommand(text), m_store(store), m_there(std::move(there)), m_back(std::move(back)) {}
    void redo() override { m_store->perform(m_there); }
    void undo() override { m_store->perform(m_back); }

private:
    ProjectStore* m_store;
    Deed m_there, m_back;
};

/// One value a run, set by `set`, as a deed.
template <class Value, class Set>
RunsCommand::Deed deedOf(std::vector<std::pair<std::int64_t, Value>> values, Set set) {
    return [values = std::move(values), set](Project& project) -> Result<void> {
        for (const auto& [run, value] : values)
            if (auto done = set(project, run, value); !done)
                return done;
        return {};
    };
}

template <class Value, class Set>
RunsCommand* change(const QString& text, ProjectStore* store, const std::vector<std::pair<std::int64_t, Value>>& after,
                    const std::vector<std::pair<std::int64_t, Value>>& before, Set set) {
    return new RunsCommand(text, store, deedOf(after, set), deedOf(before, set));
}

std::vector<std::string> tagsIn(const QString& text) {
    std::vector<std::string> tags;
    for (const QString& tag : text.split(QLatin1Char(','), Qt::SkipEmptyParts))
        if (const auto word = tag.trimmed().toStdString();
            !word.empty() && std::find(tags.begin(), tags.end(), word) == tags.end())
            tags.push_back(word);
    return tags;
}

/// `tags` with what was added to and taken from the tags of the run that was edited.
std::vector<std::string> edited(std::vector<std::string> tags, const std::vector<std::string>& before,
                                const std::vector<std::string>& after) {
    const auto has = [](const std::vector<std::string>& all, const std::string& tag) {
        return std::find(all.begin(), all.end(), tag) != all.end();
    };
    std::erase_if(tags, [&](const std::string& tag) { return has(before, tag) && !has(after, tag); });
    for (const std::string& tag : after)
        if (!has(before, tag) && !has(tags, tag))
            tags.push_back(tag);
    return tags;
}

} // namespace

void MainWindow::connectRunEdits() {
    connect(m_runs, &RunsPage::renameAsked, this, &MainWindow::renameRun);
    connect(m_runs, &RunsPage::colourAsked, this, &MainWindow::colourRuns);
    connect(m_runs, &RunsPage::textAsked, this, [this](qint64 run, RunsModel::Column column, const QString& text) {
        if (column == RunsModel::Notes)
            return noteRun(run, text);
        column == RunsModel::Tags ? tagRuns(run, text) : groupRuns(run, text);
    });
    connect(m_runs, &RunsPage::provenanceAsked, this, &MainWindow::tellProvenance);
    connect(m_runs, &RunsPage::settingsChanged, this, [this] {
        m_saveSoon.start();
        enableActions(); // the deleted ones may be shown now
    });
    const auto edits = [this](QAction* action, RunsModel::Column column) {
        connect(action, &QAction::triggered, this, [this, column] {
            showPage(Runs);
            m_runs->edit(column);
        });
    };
    edits(m_actions.rename, RunsModel::Name);
    edits(m_actions.editTags, RunsModel::Tags);
    edits(m_actions.editGroup, RunsModel::Group);
    edits(m_actions.editNotes, RunsModel::Notes);
    connect(m_actions.compare, &QAction::triggered, m_runs, &RunsPage::toggleCompared);
    connect(m_actions.deleteRun, &QAction::triggered, this, &MainWindow::deleteRuns);
    connect(m_actions.restoreRun, &QAction::triggered, this, &MainWindow::restoreRuns);
}

/// The selected runs where `run` is one of them, else that one alone.
std::vector<std::int64_t> MainWindow::together(std::int64_t run) const {
    const auto chosen = m_runs->selected();
    return std::find(chosen.begin(), chosen.end(), run) == chosen.end() ? std::vector{run} : chosen;
}

void MainWindow::doUndoably(QUndoCommand* command) {
    const QString text = command->text();
    m_runEdits.push(command);
    m_messages->post({kUndoRuns, theme::Tone::Quiet, text, tr("Undo"), [this] { m_runEdits.undo(); }});
}

bool MainWindow::undoRunEdit() {
    if (page() != Runs || !m_runEdits.canUndo())
        return false;
    m_messages->withdraw(kUndoRuns);
    m_runEdits.undo();
    return true;
}

void MainWindow::renameRun(std::int64_t run, const QString& name) {
    const auto project = m_store->snapshot();
    const RunRecord* record = project ? project->find(run) : nullptr;
    if (!record)
        return;
    using Values = std::vector<std::pair<std::int64_t, std::string>>;
    doUndoably(change(tr("Run #%1 is now called %2.").arg(run).arg(name), m_store, Values{{run, name.toStdString()}},
                      Values{{run, record->name}},
                      [](Project& each, std::int64_t id, const std::string& value) { return each.rename(id, value); }));
}

void MainWindow::tagRuns(std::int64_t run, const QString& text) {
    const auto project = m_store->snapshot();
    const RunRecord* record = project ? project->find(run) : nullptr;
    const auto wanted = tagsIn(text);
    if (!record || wanted == record->tags)
        return;
    std::vector<std::pair<std::int64_t, std::vector<std::string>>> before, after;
    for (const std::int64_t id : together(run))
        if (const RunRecord* each = project->find(id)) {
            before.emplace_back(id, each->tags);
            after.emplace_back(id, id == run ? wanted : edited(each->tags, record->tags, wanted));
        }
    doUndoably(change(
        tr("Tags of %n run(s) changed.", nullptr, int(after.size())), m_store, after, before,
        [](Project& each, std::int64_t id, const std::vector<std::string>& value) { return each.setTags(id, value); }));
}

void MainWindow::groupRuns(std::int64_t run, const QString& group) {
    const auto project = m_store->snapshot();
    std::vector<std::pair<std::int64_t, std::string>> before, after;
    for (const std::int64_t id : together(run))
        if (const RunRecord* each = project ? project->find(id) : nullptr) {
            before.emplace_back(id, each->group);
            after.emplace_back(id, group.toStdString());
        }
    if (before == after)
        return;
    const int count = int(after.size());
    doUndoably(change(group.isEmpty() ? tr("%n run(s) taken out of their group.", nullptr, count)
                                      : tr("%n run(s) put into the group %1.", nullptr, count).arg(group),
                      m_store, after, before, [](Project& each, std::int64_t id, const std::string& value) {
                          return each.setGroup(id, value);
                      }));
}

void MainWindow::noteRun(std::int64_t run, const QString& notes) {
    const auto project = m_store->snapshot();
    const RunRecord* record = project ? project->find(run) : nullptr;
    if (!record || record->notes == notes.toStdString())
        return;
    using Values = std::vector<std::pair<std::int64_t, std::string>>;
    doUndoably(change(tr("Notes of %1 changed.").arg(runTitle(*record)), m_store, Values{{run, notes.toStdString()}},
                      Values{{run, record->notes}}, [](Project& each, std::int64_t id, const std::string& value) {
                          return each.setNotes(id, value);
                      }));
}

void MainWindow::colourRuns(int colour) {
    const auto project = m_store->snapshot();
    std::vector<std::pair<std::int64_t, std::int64_t>> before, after;
    for (const std::int64_t id : m_runs->selected())
        if (const RunRecord* each = project ? project->find(id) : nullptr) {
            before.emplace_back(id, each->colour);
            after.emplace_back(id, colour);
        }
    if (after.empty() || project->isReadOnly)
        return;
    doUndoably(change(tr("Colour of %n run(s) changed.", nullptr, int(after.size())), m_store, after, before,
                      [](Project& each, std::int64_t id, std::int64_t value) { return each.setColour(id, value); }));
}

void MainWindow::deleteRuns() {
    const auto project = m_store->snapshot();
    if (!project || project->isReadOnly)
        return;
    std::vector<std::pair<std::int64_t, bool>> gone, back;
    QString name;
    for (const std::int64_t run : m_runs->selected()) {
        const auto view = viewOf(project.get(), run, m_engine.state());
        if (!view)
            continue; // among the deleted ones already
        if (view->isActive()) {
            m_messages->post({QStringLiteral("delete"),
                              theme::Tone::Warning,
                              tr("%1 is still training: stop it before you delete it.").arg(view->name),
                              {},
                              {}});
            continue;
        }
        gone.emplace_back(run, true);
        back.emplace_back(run, false);
        name = view->name;
    }
    if (gone.empty())
        return;
    doUndoably(change(
        gone.size() == 1 ? tr("Run %1 deleted. Its files go when the window closes.").arg(name)
                         : tr("%n run(s) deleted. Their files go when the window closes.", nullptr, int(gone.size())),
        m_store, gone, back,
        [](Project& each, std::int64_t id, bool isGone) { return isGone ? each.deleteRun(id) : each.restoreRun(id); }));
}

void MainWindow::restoreRuns() {
    const auto project = m_store->snapshot();
    std::vector<std::pair<std::int64_t, bool>> back, gone;
    for (const std::int64_t run : m_runs->selected()) {
        back.emplace_back(run, false);
        gone.emplace_back(run, true);
    }
    if (!project || project->isReadOnly || back.empty())
        return;
    doUndoably(change(
        tr("%n run(s) restored.", nullptr, int(back.size())), m_store, back, gone,
        [](Project& each, std::int64_t id, bool isGone) { return isGone ? each.deleteRun(id) : each.restoreRun(id); }));
}

void MainWindow::tellProvenance(const std::vector<std::int64_t>& runs) {
    auto found = std::make_shared<std::map<std::int64_t, RunProvenance>>();
    m_store->perform(
        [found, runs](Project& project) -> Result<void> {
            for (const std::int64_t run : runs)
                if (auto provenance = project.provenance(run)) // one that is gone meanwhile has none
                    (*found)[run] = std::move(*provenance);
            return {};
        },
        [this, found] { m_runs->setProvenance(*found); });
}

} // namespace trainyard
