#pragma once

#include "core/train/CheckpointDisk.h"
#include "core/train/Trainer.h"

#include <filesystem>
#include <functional>
#include <map>
#include <string>
#include <vector>

namespace trainyard::testing {

/// A classifier of 8 × 8 pictures, small enough for hundreds of updates a second.
struct ToyShape {
    std::int64_t classes = 3;
    bool hasBatchNorm = false;
    double dropout = 0; ///< of LibTorch's own kind, which draws from the shared generator
};
std::shared_ptr<Model> makeToyModel(const ToyShape& shape, std::uint64_t seed = 1);

/// Batches in memory: that of a step is a function of the step.
class ToyBatches final : public BatchSource {
public:
    explicit ToyBatches(int replicas = 1, int size = 8) : m_replicas(replicas), m_size(size) {}
    void seek(std::int64_t step) override { m_next = step; }
    Result<StepBatch> next(const std::function<bool()>& isCancelled = {}) override;
    void stop() override { m_isStopped = true; }

    std::function<void(StepBatch&)> spoil; ///< may change a batch on its way
    std::optional<std::int64_t> failsAt;   ///< the step that gives a Data error

private:
    int m_replicas, m_size;
    std::int64_t m_next = 0;
    bool m_isStopped = false;
};

/// A catalog in memory that behaves as the project's.
class MemoryCatalog final : public CheckpointCatalog {
public:
    Result<std::int64_t> add(const CheckpointReport& report) override;
    Result<void> remove(std::int64_t id) override;
    Result<void> setMetric(std::int64_t iteration, double metric, bool isBest) override;
    Result<void> markFinal(std::int64_t iteration) override;
    Result<std::vector<CatalogEntry>> entries() const override { return list; }

    std::vector<CatalogEntry> list;
    std::function<void(std::int64_t id)> onRemove; ///< looks at the world when an entry goes

private:
    std::int64_t m_nextId = 1;
};

/// Everything a run said.
class RecordingSink final : public RunSink {
public:
    void onStep(const StepReport& report) override;
    void onStatistics(const StatisticsReport& report) override { statistics.push_back(report); }
    void onEvaluation(const EvaluationReport& report) override { evaluations.push_back(report); }
    void onCheckpoint(const CheckpointReport& report) override { checkpoints.push_back(report); }
    void onInitialValues(const InitialReport& report) override { initial.push_back(report); }
    void onGraph(const GraphReport& report) override { graphs.push_back(report); }
    void onProfile(const ProfileReport& report) override { profiles.push_back(report); }
    void onPictures(const PictureReport& report) override { pictures.push_back(report); }
    void onEvent(const RunEvent& event) override;
    void onPhase(const PhaseReport& report) override;

    std::vector<RunEvent> events(EventKind kind) const;
    std::vector<double> losses() const;

    std::vector<StepReport> steps;
    std::vector<StatisticsReport> statistics;
    std::vector<EvaluationReport> evaluations;
    std::vector<CheckpointReport> checkpoints;
    std::vector<InitialReport> initial;
    std::vector<GraphReport> graphs;
    std::vector<ProfileReport> profiles;
    std::vector<PictureReport> pictures;
    std::vector<RunEvent> all;
    std::function<void(std::int64_t iteration)> afterStep; ///< a person at the controls
    std::function<void(const RunEvent&)> afterEvent;
    std::function<void(const PhaseReport&)> afterPhase;
};

/// Draws from the shared generator and measures the model, so that a trainer that let it disturb training would show.
class ToyEvaluator final : public Evaluator {
public:
    Result<EvaluationReport> evaluate(Model& model, std::int64_t iteration, const std::function<bool()>&) override;
    std::string mainMetric() const override { return "accuracy"; }
    bool isMoreBetter() const override { return true; }

    std::vector<std::int64_t> iterations;
    std::vector<torch::Tensor> weights;    ///< head.weight as it was at each of them
    std::map<std::int64_t, double> scores; ///< said at that iteration instead of the measured one
    std::optional<Error> error;
};

/// A disk that fails as often as told, and its clock.
class FullDisk : public CheckpointDisk {
public:
    Result<std::int64_t> write(const std::filesystem::path& path, const TrainingState& state) override;
    std::int64_t freeBytes(const std::filesystem::path&) const override { return free; }
    std::int64_t wallMicroseconds() const override { return now; }
    std::chrono::milliseconds retryDelay() const override { return std::chrono::milliseconds(0); }

    std::atomic<int> failuresLeft = 0;
    std::atomic<int> throwsLeft = 0; ///< after those: what a library might throw, not an Error
    std::atomic<std::int64_t> free = std::int64_t(1) << 40;
    std::atomic<std::int64_t> now = 0;
    std::atomic<int> writes = 0;
};

/// One toy run with all its parts.
struct ToyRun {
    explicit ToyRun(const std::filesystem::path& folder, ToyShape shape = {}, int replicas = 1);
    RunOutcome run();
    std::filesystem::path checkpoint(std::int64_t iteration) const;

    ToyShape shape;
    ToyBatches batches;
    ToyEvaluator evaluator;
    MemoryCatalog catalog;
    RecordingSink sink;
    CommandMailbox mailbox;
    FullDisk disk;
    TrainerParts parts;
};

/// The losses of a run that nobody disturbs.
std::vector<double> undisturbedLosses(ToyShape shape = {});
std::vector<std::int64_t> iterations(const std::vector<CheckpointReport>& checkpoints);

} // namespace trainyard::testing
