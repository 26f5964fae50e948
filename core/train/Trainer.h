#pragma once

#include "core/base/Error.h"
#include "core/config/RunConfig.h"
#include "core/models/Model.h"
#include "core/telemetry/Command.h"
#include "core/telemetry/RunSink.h"
#include "core/train/BatchSource.h"
#include "core/train/CheckpointCatalog.h"

#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>

namespace trainyard {

class CheckpointDisk;

/// Scores a model on the validation data. Called on the engine thread, in eval mode; asks `isCancelled` between
/// batches.
class Evaluator {
public:
    virtual ~Evaluator() = default;
    virtual Result<EvaluationReport> evaluate(Model& model, std::int64_t iteration,
                                              const std::function<bool()>& isCancelled) = 0;
    /// The metric that decides which checkpoint is best, and whether more is better.
    virtual std::string mainMetric() const = 0;
    virtual bool isMoreBetter() const = 0;
};

/// What a trainer is put together from; everything outlives it.
struct TrainerParts {
    RunConfig config;
    std::function<Result<std::shared_ptr<Model>>()> makeModel; ///< called once a replica; same values every time
    BatchSource* batches = nullptr;
    Evaluator* evaluator = nullptr; ///< may be null
    CheckpointCatalog* catalog = nullptr;
    RunSink* sink = nullptr;
    CommandMailbox* mailbox = nullptr;
    std::filesystem::path runFolder;                 ///< checkpoints go to its folder "checkpoints"
    std::optional<std::filesystem::path> resumeFrom; ///< a checkpoint of this run
    std::optional<std::filesystem::path> weights;    ///< weights to start a new run from
    std::string resolvedConfig;                      ///< YAML, kept inside checkpoints
    std::map<std::string, std::string> notes;        ///< further text to keep inside checkpoints (a list of classes)
    CheckpointDisk* disk = nullptr;                  ///< null is the real one; tests put a full disk here
};

/// How a run ended.
struct RunOutcome {
    RunStatus status = RunStatus::Failed;
    std::int64_t iteration = 0; ///< finished updates
    std::optional<Error> error;
};

/// The loop: batch, losses, backward, average over replicas, gradient pipeline, update, report; between two iterations
/// it obeys commands, evaluates and saves. Knows neither boxes nor characters. `run` blocks its thread until the end.
class Trainer {
public:
    explicit Trainer(TrainerParts parts);
    ~Trainer();
    RunOutcome run();

private:
    struct State;
    std::unique_ptr<State> m_state;
};

} // namespace trainyard
