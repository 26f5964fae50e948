#pragma once

#include "app/workbench/configure/Forecast.h"

#include <QObject>
#include <QThread>
#include <QTimer>

#include <atomic>
#include <filesystem>
#include <memory>

namespace trainyard {

/// Keeps a Forecast of the configuration being written: asks the engine a moment after the last edit, on a thread of
/// its own, and only where what matters has changed. A new question gives up the one before. UI thread only.
class Forecaster final : public QObject {
    Q_OBJECT
public:
    explicit Forecaster(QObject* parent = nullptr);
    ~Forecaster() override; ///< gives up what is being asked and joins

    /// Null until the engine is there: then nothing is asked.
    void setEngine(std::shared_ptr<Engine> engine);
    void setProjectFolder(const std::filesystem::path& folder);
    /// Whether a run trains here: models are weighed when it has ended.
    void setBusy(bool isBusy);
    void setConfig(const RunConfig& config);
    const Forecast& forecast() const { return m_forecast; }
    /// Gives up looking at the data; the next change of it looks again.
    void cancelLook();
    void lookAgain();

Q_SIGNALS:
    void changed();

private:
    struct Question;
    void ask();
    void askModelIfDue();
    void askModel(const std::vector<std::string>& classes);
    void askData();
    void askDisk();
    void onWeighed(const Result<ModelWeight>& weight);
    void onFound(const Result<DataFindings>& findings);
    template <class Work>
    void post(Work work);

    QThread m_thread;
    QObject* m_worker; ///< lives on m_thread; carries what is to be done there
    QTimer m_soon;
    std::shared_ptr<Engine> m_engine;
    std::filesystem::path m_folder;
    RunConfig m_config;
    std::optional<RunConfig> m_askedModel, m_askedData; ///< what the last questions were about
    std::vector<std::string> m_askedClasses;
    std::shared_ptr<std::atomic<bool>> m_isLookCancelled;
    int m_modelQuestion = 0, m_dataQuestion = 0;
    bool m_isBusy = false;
    Forecast m_forecast;
};

} // namespace trainyard
