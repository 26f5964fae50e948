#pragma once

#include "app/workbench/engine/Engine.h"

#include <atomic>
#include <mutex>
#include <thread>
#include <utility>
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
    Result<ModelWeight> weigh(const RunConfig& config, const std::vector<std::string>& classes) override {
        std::lock_guard lock(m_mutex);
        m_weighed.emplace_back(config.model.type, classes.size());
        return ModelWeight{1'000'000 + std::int64_t(classes.size()), 12'000'000, 800'000'000};
    }
    /// Looks until it is cancelled where a dataset's path is "endless"; fails where it is "gone".
    Result<DataFindings> lookAtData(const RunConfig& config, const std::filesystem::path&,
                                    const LookControl& control) const override {
        ++m_looks;
        const std::string path = config.data.train.front().path;
        if (path == "gone")
            return Error{ErrorKind::Data, "There is no such file or folder.", path, "Check the path of the data."};
        while (path == "endless") {
            control.progress("Scanning endless", 5, 10);
            if (control.isCancelled())
                return Error{ErrorKind::Interrupted, "Stopped while the data was being read.", "", ""};
            std::this_thread::yield();
        }
        DataFindings findings;
        findings.sets = {{true, "cells", "voc", 205, 3900, 2}, {false, "cells", "voc", 87, 1800, 0}};
        findings.problems = {"cells: a.xml: A box has no area."};
        if (taskOf(config.model) == TaskKind::Detection)
            findings.classes = {"RBC", "WBC", "Platelets"};
        return findings;
    }
    /// Fails where nothing was given to `opens`.
    Result<std::shared_ptr<const OpenedData>> openData(const RunConfig& config, const std::filesystem::path& project,
                                                       const LookControl& control) const override {
        OpenData open;
        {
            std::lock_guard lock(m_mutex);
            open = m_open;
        }
        if (!open)
            return Error{ErrorKind::Data, "There is no such file or folder.", "here", "Check the path of the data."};
        return open(config, project, control);
    }
    using OpenData = std::function<Result<std::shared_ptr<const OpenedData>>(
        const RunConfig&, const std::filesystem::path&, const LookControl&)>;
    void opens(OpenData open) {
        std::lock_guard lock(m_mutex);
        m_open = std::move(open);
    }
    int looks() const { return m_looks; }
    std::vector<std::pair<std::string, std::size_t>> weighed() const { ///< type of model and classes, in order
        std::lock_guard lock(m_mutex);
        return m_weighed;
    }

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
    OpenData m_open;
    std::vector<std::pair<std::string, std::size_t>> m_weighed;
    mutable std::atomic<int> m_looks = 0;
};

} // namespace trainyard::testing
