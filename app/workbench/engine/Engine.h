#pragma once

#include "app/engine/TrainingSession.h"
#include "core/base/Error.h"
#include "core/telemetry/Command.h"
#include "core/telemetry/StepReport.h"

#include <cstdint>
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
    std::vector<std::string> warnings;
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
};

/// What the module exports; the caller owns the result.
using MakeEngine = Engine* (*)();
constexpr const char* kMakeEngineSymbol = "trainyardMakeEngine";

} // namespace trainyard
