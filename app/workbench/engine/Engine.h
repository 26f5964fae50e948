#pragma once

#include "app/engine/TrainingSession.h"
#include "app/workbench/engine/OpenedData.h"
#include "core/base/Error.h"
#include "core/telemetry/Command.h"
#include "core/telemetry/StepReport.h"

#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace trainyard {

/// What the engine is at, as a snapshot of plain values.
struct EngineState {
    bool isBusy = false;
    std::int64_t run = 0;
    RunStatus status = RunStatus::Queued;
    PhaseReport phase;
    StepReport step;                ///< the newest
    double iterationsPerSecond = 0; ///< recent, evaluation and checkpoints apart
    double secondsLeft = -1;        ///< negative: not known yet
    std::optional<Error> error;     ///< why the last run failed
    /// The error only lists what changed since the run was made (data, libraries, processor): accepting it goes on.
    bool isChangeRefused = false;
    bool isDiscarded = false; ///< a new run that never could start: nothing of it was kept
    std::vector<std::string> warnings;
};

/// What a configuration's model weighs, measured on the model itself. A value.
struct ModelWeight {
    std::int64_t parameters = 0;      ///< numbers that learn
    std::int64_t checkpointBytes = 0; ///< of one file: weights, buffers, what the optimiser remembers
    std::int64_t memoryBytes = 0;     ///< of the process while it trains, about; 0: not known
};

/// What a training would find in its data. A value.
struct DataFindings {
    struct Set {
        bool isForTraining = true;
        std::string name, format;
        std::int64_t samples = 0; ///< negative: endless
        std::int64_t objects = 0; ///< boxes, of detection
        std::int64_t problems = 0;
    };
    std::vector<Set> sets;
    std::vector<std::string> classes;  ///< of detection
    std::vector<std::string> problems; ///< a sentence each, the first of each set
};

/// How a look at data is watched and given up. Called on the thread that looks.
struct LookControl {
    std::function<void(const std::string& text, std::int64_t done, std::int64_t total)> progress;
    std::function<bool()> isCancelled;
};

/// The engine as the window sees it: an interface of plain values behind which LibTorch is loaded only after the first
/// paint (dlopen of libtrainyard_engine.so). Runs one training at a time on a thread of its own. Any thread may call.
class Engine {
public:
    virtual ~Engine() = default; ///< stops a running training with a checkpoint, waits for it
    /// Makes the run and starts its thread; the new or resumed run's number.
    virtual Result<std::int64_t> start(const TrainingRequest& request) = 0;
    virtual void send(Command command) = 0;
    virtual EngineState state() const = 0;
    /// "CPU, 2 threads, bf16": what trainings will use, for the status bar.
    virtual std::string device() const = 0;
    /// Takes up to seconds, on the caller's thread. A Usage error while something trains: that is not disturbed.
    virtual Result<ModelWeight> weigh(const RunConfig& config, const std::vector<std::string>& classes) = 0;
    /// Opens the data as a training in `project` does, on the caller's thread; decodes nothing. Interrupted when
    /// cancelled.
    virtual Result<DataFindings> lookAtData(const RunConfig& config, const std::filesystem::path& project,
                                            const LookControl& control) const = 0;
    /// The same data, to be looked at sample by sample; on the caller's thread, as `lookAtData`.
    virtual Result<std::shared_ptr<const OpenedData>> openData(const RunConfig& config,
                                                               const std::filesystem::path& project,
                                                               const LookControl& control) const = 0;
};

/// What the module exports; the caller owns the result.
using MakeEngine = Engine* (*)();
constexpr const char* kMakeEngineSymbol = "trainyardMakeEngine";

} // namespace trainyard
