#include "app/workbench/EngineClient.h"

#include <QCoreApplication>
#include <QFutureWatcher>
#include <QtConcurrentRun>

#include <dlfcn.h>

namespace trainyard {
namespace {

constexpr int kEnginePollMilliseconds = 200;

struct Loaded {
    std::shared_ptr<Engine> engine;
    QString device, trouble;
};

Loaded loadModule(const std::vector<std::filesystem::path>& candidates) {
    Loaded loaded;
    for (const auto& path : candidates) {
        std::error_code ignored; // a folder that cannot be looked into holds no module for us
        if (!std::filesystem::exists(path, ignored))
            continue;
        void* library = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
        if (!library) {
            loaded.trouble = QString::fromLocal8Bit(dlerror());
            continue;
        }
        const auto make = reinterpret_cast<MakeEngine>(dlsym(library, kMakeEngineSymbol));
        if (!make) {
            loaded.trouble = QString::fromLocal8Bit(dlerror());
            continue;
        }
        loaded.engine.reset(make()); // the library stays loaded: LibTorch cannot be unloaded
        loaded.device = QString::fromStdString(loaded.engine->device());
        return loaded;
    }
    if (loaded.trouble.isEmpty() && !candidates.empty())
        loaded.trouble = QCoreApplication::translate("EngineClient", "There is no file %1.")
                             .arg(QString::fromStdString(candidates.front().string()));
    return loaded;
}

} // namespace

EngineClient::EngineClient(QObject* parent) : QObject(parent) {
    m_timer.setInterval(kEnginePollMilliseconds);
    connect(&m_timer, &QTimer::timeout, this, &EngineClient::poll);
}

EngineClient::~EngineClient() = default;

std::vector<std::filesystem::path> EngineClient::moduleCandidates() {
    const std::filesystem::path beside = QCoreApplication::applicationDirPath().toStdString();
    constexpr const char* kName = "libtrainyard_engine.so";
    return {beside / kName, beside / ".." / "lib" / kName, beside / ".." / "lib" / "trainyard" / kName};
}

void EngineClient::load() {
    auto* watcher = new QFutureWatcher<Loaded>(this);
    connect(watcher, &QFutureWatcher<Loaded>::finished, this, [this, watcher] {
        const Loaded loaded = watcher->result();
        watcher->deleteLater();
        if (!loaded.engine) {
            Q_EMIT loadFailed(loaded.trouble);
            return;
        }
        m_device = loaded.device;
        setEngine(loaded.engine);
    });
    watcher->setFuture(QtConcurrent::run(loadModule, moduleCandidates()));
}

void EngineClient::setEngine(std::shared_ptr<Engine> engine) {
    m_engine = std::move(engine);
    if (m_device.isEmpty())
        m_device = QString::fromStdString(m_engine->device());
    m_timer.start();
    Q_EMIT ready();
    poll();
}

void EngineClient::start(const TrainingRequest& request) {
    if (!m_engine || isBusy())
        return;
    m_isStarting = true;
    Q_EMIT stateChanged();
    using Answer = Result<std::int64_t>;
    auto* watcher = new QFutureWatcher<std::shared_ptr<Answer>>(this);
    connect(watcher, &QFutureWatcherBase::finished, this, [this, watcher] {
        const auto answer = watcher->result();
        watcher->deleteLater();
        m_isStarting = false;
        poll();
        if (*answer)
            Q_EMIT started(**answer);
        else
            Q_EMIT startFailed(answer->error());
        Q_EMIT stateChanged();
    });
    watcher->setFuture(
        QtConcurrent::run([engine = m_engine, request] { return std::make_shared<Answer>(engine->start(request)); }));
}

void EngineClient::send(Command::Kind kind, double value) {
    if (!m_engine)
        return;
    m_engine->send({kind, value});
    poll();
}

void EngineClient::poll() {
    m_state = m_engine->state();
    Q_EMIT stateChanged();
}

} // namespace trainyard
