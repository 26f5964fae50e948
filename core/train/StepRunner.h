#pragma once

#include "core/config/RunConfig.h"
#include "core/telemetry/OperatorReport.h"
#include "core/telemetry/PictureReport.h"
#include "core/train/BatchSource.h"
#include "core/train/NonFinite.h"
#include "core/train/ReplicaTeam.h"

#include <functional>
#include <optional>

namespace trainyard {

/// What one update did; `finding` is there instead of an update when a loss or gradient was not finite.
struct StepResult {
    StepReport report;
    std::optional<StatisticsReport> statistics;
    std::optional<PictureReport> pictures;
    std::optional<GraphReport> graph;     ///< of the first update that this runner does
    std::optional<ProfileReport> profile; ///< of the update that was asked for
    std::optional<NonFiniteFinding> finding;
    bool hasUnorderedRandomness = false; ///< replicas drew from the shared generator at once, for the first time
};

/// One update over all replicas: batches, losses, backward, average, gradient pipeline, optimiser, statistics.
/// Trainer's thread.
class StepRunner {
public:
    /// `isCancelled` is asked while a batch is waited for.
    StepRunner(const RunConfig& config, ReplicaTeam& team, BatchSource& batches, std::function<bool()> isCancelled)
        : m_config(config), m_team(team), m_batches(batches), m_isCancelled(std::move(isCancelled)) {}

    /// The source's batches come in order: `accumulate` of them an update.
    void seek(std::int64_t finishedUpdates) { m_batches.seek(finishedUpdates * m_config.solve.accumulate); }

    /// Update number `iteration`, counted from 1. Fails with the source's Error, and then the replicas are as they were
    /// before; throws what the model throws.
    Result<StepResult> run(std::int64_t iteration, double rate);

private:
    Result<StepResult> runUpdate(std::int64_t iteration, double rate);
    Result<void> accumulateGradients(StepResult& result);
    void runPart(const StepBatch& batch, StepResult& result);
    void mergeLosses(const std::vector<Replica::PartResult>& parts, StepResult& result);
    bool average(StepResult& result);
    void update(double rate, StepResult& result);
    void summarise(StepResult& result, const std::vector<double>& updateNorms);
    void reportFinding(StepResult& result, double rate);

    const RunConfig& m_config;
    ReplicaTeam& m_team;
    BatchSource& m_batches;
    std::function<bool()> m_isCancelled;
    std::vector<StepBatch> m_stepBatches; ///< of the update under way, for the report on a non-finite one
    std::mutex m_randomDoor;
    bool m_isFirstStep = true;
    bool m_drawsRandomly = false; ///< the model's forward pass moves the shared generator
};

} // namespace trainyard
