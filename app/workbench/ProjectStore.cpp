#include "app/workbench/ProjectStore.h"

#include <QThread>
#include <QTimer>

#include <algorithm>

namespace trainyard {
namespace {

constexpr int kStorePollMilliseconds = 400;
constexpr int kPollsUntilReread = 5; ///< a dead owner changes no file: active runs are asked again now and then

bool isActive(const RunRecord& run) {
    return run.status == RunStatus::Preparing || run.status == RunStatus::Running || run.status == RunStatus::Paused ||
           run.status == RunStatus::Stopping;
}

} // namespace

const RunRecord* ProjectSnapshot::find(std::int64_t run) const {
    const auto at = std::find_if(runs.begin(), runs.end(), [&](const RunRecord& each) { return each.id == run; });
    return at == runs.end() ? nullptr : &*at;
}

/// Lives on the store's thread and owns the connection.
class ProjectStore::Worker final : public QObject {
public:
    explicit Worker(ProjectStore* store) : m_store(store) {}

    void open(const std::filesystem::path& folder, bool create) {
        if (m_project && m_project->folder() == folder)
            m_project.reset(); // connections of a process share what the first of them may do with the file
        auto project = Project::open(folder, Project::Mode::ReadWrite, create);
        if (!project) {
            auto readOnly = Project::open(folder, Project::Mode::ReadOnly);
            if (!readOnly)
                return tell([error = project.error()](ProjectStore& store) { Q_EMIT store.openFailed(error); });
            project = std::move(readOnly);
        }
        m_project = std::move(*project);
        m_shownRun = 0;
        m_settings = m_project->setting("window");
        read(true);
        if (!m_poll) {
            m_poll = new QTimer(this);
            connect(m_poll, &QTimer::timeout, this, [this] { poll(); });
        }
        m_poll->start(kStorePollMilliseconds);
    }

    void rebuild(const std::filesystem::path& folder) {
        const auto found = rebuildProject(folder);
        if (!found)
            return tell([error = found.error()](ProjectStore& store) { Q_EMIT store.openFailed(error); });
        open(folder, false);
        QStringList sentences;
        for (const std::string& sentence : *found)
            sentences << QString::fromStdString(sentence);
        tell([sentences](ProjectStore& store) { Q_EMIT store.rebuilt(sentences); });
    }

    void show(std::int64_t run, int choice) {
        m_shownRun = run;
        m_choice = choice;
        read(false);
    }

    void perform(const std::function<Result<void>(Project&)>& deed, const std::function<void()>& then) {
        if (!m_project)
            return;
        auto done = deed(*m_project);
        read(false);
        if (!done)
            tell([error = done.error()](ProjectStore& store) { Q_EMIT store.failed(error); });
        else if (then)
            tell([then](ProjectStore&) { then(); });
    }

    void read(bool isFresh) {
        if (!m_project)
            return;
        m_version = m_project->dataVersion();
        auto snapshot = std::make_shared<ProjectSnapshot>();
        snapshot->folder = m_project->folder();
        snapshot->isReadOnly = m_project->isReadOnly();
        snapshot->windowSettings = m_settings;
        auto runs = m_project->runs();
        if (!runs)
            return tell([error = runs.error()](ProjectStore& store) { Q_EMIT store.failed(error); });
        snapshot->runs = std::move(*runs);
        // what cannot be read is left out; the list of runs says what is wrong
        if (auto deleted = m_project->deletedRuns())
            snapshot->deletedRuns = std::move(*deleted);
        if (auto newest = m_project->newestEvaluations())
            snapshot->newestEvaluations = std::move(*newest);
        if (!snapshot->find(m_shownRun))
            m_shownRun = snapshot->runs.empty() ? 0 : snapshot->runs.back().id;
        m_hasActive = std::any_of(snapshot->runs.begin(), snapshot->runs.end(), isActive);
        for (const RunRecord& run : snapshot->runs)
            if (run.status == RunStatus::Lost && !hasCheckpoint(run.id))
                snapshot->startsOver.insert(run.id);
        snapshot->shownRun = m_shownRun;
        if (m_shownRun != 0)
            readDetails(*snapshot);
        tell([snapshot, isFresh, choice = m_choice](ProjectStore& store) {
            const bool isCurrent = choice == store.m_choice;
            const bool otherRun = isFresh || (isCurrent && store.m_shownRun != snapshot->shownRun);
            store.m_snapshot = snapshot;
            if (isCurrent || isFresh)
                store.m_shownRun = snapshot->shownRun;
            if (isFresh)
                Q_EMIT store.opened();
            if (otherRun)
                Q_EMIT store.shownRunChanged();
            Q_EMIT store.changed();
        });
    }

private:
    /// One that a resume goes on from; what cannot be read is taken to be there, a resume says what is wrong with it.
    bool hasCheckpoint(std::int64_t run) const {
        const auto checkpoints = m_project->checkpoints(run);
        return !checkpoints || std::any_of(checkpoints->begin(), checkpoints->end(), [](const CheckpointRecord& each) {
            return !each.isAbandoned && !each.isDeleted;
        });
    }

    void readDetails(ProjectSnapshot& snapshot) {
        // what cannot be read stays empty here; checkpoints and events say so where they are written
        if (auto checkpoints = m_project->checkpoints(m_shownRun))
            snapshot.checkpoints = std::move(*checkpoints);
        std::erase_if(snapshot.checkpoints, [](const CheckpointRecord& each) { return each.isDeleted; });
        if (auto events = m_project->events(m_shownRun))
            snapshot.events = std::move(*events);
        if (auto evaluations = m_project->evaluations(m_shownRun))
            snapshot.evaluations = std::move(*evaluations);
        if (auto provenance = m_project->provenance(m_shownRun))
            snapshot.provenance = std::move(*provenance);
    }

    void poll() {
        if (!m_project)
            return; // it could not be opened again
        const bool isDue = m_hasActive && ++m_polls % kPollsUntilReread == 0;
        if (isDue || m_project->dataVersion() != m_version)
            read(false);
    }

    void tell(std::function<void(ProjectStore&)> message) {
        QMetaObject::invokeMethod(
            m_store, [store = m_store, message = std::move(message)] { message(*store); }, Qt::QueuedConnection);
    }

    ProjectStore* m_store;
    std::unique_ptr<Project> m_project;
    QTimer* m_poll = nullptr;
    std::int64_t m_shownRun = 0;
    std::int64_t m_version = 0;
    int m_polls = 0;
    int m_choice = 0;
    bool m_hasActive = false;
    std::string m_settings;
};

ProjectStore::ProjectStore(QObject* parent) : QObject(parent), m_thread(new QThread(this)), m_worker(new Worker(this)) {
    m_thread->setObjectName(QStringLiteral("project"));
    m_worker->moveToThread(m_thread);
    m_thread->start();
}

ProjectStore::~ProjectStore() {
    // the last message in the queue: everything asked for before it is done first
    QMetaObject::invokeMethod(
        m_worker,
        [worker = m_worker, thread = m_thread] {
            delete worker;
            thread->quit();
        },
        Qt::QueuedConnection);
    m_thread->wait();
}

void ProjectStore::open(const std::filesystem::path& folder, bool create) {
    QMetaObject::invokeMethod(m_worker, [worker = m_worker, folder, create] { worker->open(folder, create); });
}

void ProjectStore::rebuild(const std::filesystem::path& folder) {
    QMetaObject::invokeMethod(m_worker, [worker = m_worker, folder] { worker->rebuild(folder); });
}

void ProjectStore::setShownRun(std::int64_t run) {
    if (run == m_shownRun)
        return;
    m_shownRun = run;
    QMetaObject::invokeMethod(m_worker, [worker = m_worker, run, choice = ++m_choice] { worker->show(run, choice); });
    Q_EMIT shownRunChanged();
}

void ProjectStore::perform(std::function<Result<void>(Project&)> deed, std::function<void()> then) {
    QMetaObject::invokeMethod(
        m_worker, [worker = m_worker, deed = std::move(deed), then = std::move(then)] { worker->perform(deed, then); });
}

void ProjectStore::refresh() {
    QMetaObject::invokeMethod(m_worker, [worker = m_worker] { worker->read(false); });
}

} // namespace trainyard
