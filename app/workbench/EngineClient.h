#pragma once

#include "app/workbench/engine/Engine.h"

#include <QObject>
#include <QTimer>

#include <filesystem>
#include <memory>
#include <vector>

namespace trainyard {

/// The window's side of the engine: loads the module in the background, asks for its state a few times a second and
/// tells who is interested. UI thread only.
class EngineClient final : public QObject {
    Q_OBJECT
public:
    explicit EngineClient(QObject* parent = nullptr);
    ~EngineClient() override;

    /// Loads libtrainyard_engine.so from beside the program or from ../lib; answered by `ready` or `loadFailed`.
    void load();
    static std::vector<std::filesystem::path> moduleCandidates();
    /// Takes an engine that is there already.
    void setEngine(std::shared_ptr<Engine> engine);

    bool isReady() const { return m_engine != nullptr; }
    bool isStarting() const { return m_isStarting; }
    /// Whether closing now would lose work: something trains or is about to.
    bool isBusy() const { return m_isStarting || m_state.isBusy; }
    const EngineState& state() const { return m_state; }
    std::shared_ptr<Engine> engine() const { return m_engine; }
    QString device() const { return m_device; }

    void start(const TrainingRequest& request);
    void send(Command::Kind kind, double value = 0);

Q_SIGNALS:
    void ready();
    void loadFailed(const QString& reason);
    void started(qint64 run);
    void startFailed(const trainyard::Error& error);
    void stateChanged();

private:
    void poll();

    std::shared_ptr<Engine> m_engine;
    EngineState m_state;
    QString m_device;
    QTimer m_timer;
    bool m_isStarting = false;
};

} // namespace trainyard
