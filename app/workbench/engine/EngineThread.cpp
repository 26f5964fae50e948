#include "app/engine/Machine.h"
#include "app/engine/RunEnvironment.h"
#include "app/engine/TrainingSession.h"
#include "app/workbench/engine/DataLook.h"
#include "app/workbench/engine/Engine.h"
#include "app/workbench/engine/EngineRecorder.h"
#include "app/workbench/engine/ModelScale.h"
#include "app/workbench/engine/OpenedSets.h"
#include "core/base/Log.h"

#include <pthread.h>

#include <exception>
#include <mutex>
#include <thread>

namespace trainyard {
namespace {

/// Whether `error` is the session's refusal to go on because of `environmentChanges`.
bool isRefusedChange(const Error& error) {
    const Error refusal = refusedChanges({}, {});
    return error.kind == refusal.kind && error.remedy == refusal.remedy;
}

/// One training at a time on a thread of its own.
class EngineThread final : public Engine {
public:
    ~EngineThread() override {
        send({Command::Kind::Stop, 0});
        if (m_thread.joinable())
            m_thread.join();
    }

    Result<std::int64_t> start(const TrainingRequest& request) override {
        std::lock_guard starting(m_startMutex);
        if (m_recorder.state().isBusy)
            return Error{ErrorKind::Usage, "Another run is training in this window.", "", "Stop it first."};
        if (m_thread.joinable())
            m_thread.join(); // the last one has ended
        auto session = TrainingSession::open(request);
        if (!session)
            return session.error();
        const std::int64_t run = (*session)->run();
        m_recorder.begin(run, request.run ? 0 : request.config.solve.iterations);
        {
            std::lock_guard lock(m_sessionMutex);
            m_session = std::move(*session);
        }
        m_thread = std::thread([this] { train(); });
        pthread_setname_np(m_thread.native_handle(), "engine");
        return run;
    }

    void send(Command command) override {
        if (command.kind == Command::Kind::Stop)
            m_recorder.stopping();
        std::lock_guard lock(m_sessionMutex);
        if (m_session)
            m_session->mailbox().put(command);
    }

    EngineState state() const override { return m_recorder.state(); }

    std::string device() const override {
        const auto device = resolveDevice(RunConfig());
        return device ? device->text() : device.error().what;
    }

    Result<ModelWeight> weigh(const RunConfig& config, const std::vector<std::string>& classes) override {
        std::lock_guard starting(m_startMutex); // a start waits; both draw on the same generators
        if (m_recorder.state().isBusy)
            return Error{ErrorKind::Usage, "A run is training.", "", "Its model is weighed when it has ended."};
        return weighModel(config, classes);
    }

    Result<DataFindings> lookAtData(const RunConfig& config, const std::filesystem::path& project,
                                    const LookControl& control) const override {
        return findInData(config, project, control);
    }

    Result<std::shared_ptr<const OpenedData>> openData(const RunConfig& config, const std::filesystem::path& project,
                                                       const LookControl& control) const override {
        return openSets(config, project, control);
    }

private:
    void train() {
        SessionOutcome outcome;
        try {
            outcome = m_session->train(m_recorder);
        } catch (const std::exception& failure) {
            outcome.run = m_session->run();
            outcome.error = Error{ErrorKind::Unexpected, failure.what(), "", ""};
        }
        if (outcome.error)
            log::error("{}", outcome.error->sentence());
        std::unique_ptr<TrainingSession> ended;
        {
            std::lock_guard lock(m_sessionMutex);
            ended = std::move(m_session);
        }
        ended.reset(); // gives lock and memory back before anyone hears that it has ended
        m_recorder.end(outcome, outcome.error && isRefusedChange(*outcome.error));
    }

    EngineRecorder m_recorder;
    std::mutex m_startMutex;
    std::mutex m_sessionMutex; ///< guards the pointer, not the session
    std::unique_ptr<TrainingSession> m_session;
    std::thread m_thread;
};

} // namespace
} // namespace trainyard

extern "C" __attribute__((visibility("default"))) trainyard::Engine* trainyardMakeEngine() {
    return new trainyard::EngineThread;
}
