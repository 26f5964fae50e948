#pragma once

#include "app/workbench/engine/Engine.h"

#include <mutex>
#include <vector>

namespace trainyard::testing {

/// An engine that trains nothing: a test sets its state and reads what it was asked for.
class FakeEngine final : public Engine {
public:
    Result<std::int64_t> start(const TrainingRequest& request) override {
        std::lock_guard lock(m_mutex);
        m_requests.push_back(request);
        if (m_failure)
            return *m_failure;
        m_state = {};
        m_state.isBusy = true;
        m_state.run = request.run.value_or(1);
        m_state.status = RunStatus::Preparing;
        m_state.phase.text = "scanning data";
        return m_state.run;
    }
    void send(Command command) override {
        std::lock_guard lock(m_mutex);
        m_commands.push_back(command.kind);
    }
    EngineState state() const override {
        std::lock_guard lock(m_mutex);
        return m_state;
    }
    std::string device() const override { return "CPU, 1 thread, fp32"; }

    void setState(const EngineState& state) {
        std::lock_guard lock(m_mutex);
        m_state = state;
    }
    void refuse(const Error& error) {
        std::lock_guard lock(m_mutex);
        m_failure = error;
    }
    std::vector<TrainingRequest> requests() const {
        std::lock_guard lock(m_mutex);
        return m_requests;
    }
    std::vector<Command::Kind> commands() const {
        std::lock_guard lock(m_mutex);
        return m_commands;
    }

private:
    mutable std::mutex m_mutex;
    EngineState m_state;
    std::optional<Error> m_failure;
    std::vector<TrainingRequest> m_requests;
    std::vector<Command::Kind> m_commands;
};

} // namespace trainyard::testing
