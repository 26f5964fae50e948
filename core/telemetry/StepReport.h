#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace trainyard {

/// Where the seconds of one iteration went.
struct StepTimings {
    double dataWait = 0, forward = 0, backward = 0, communication = 0, update = 0, statistics = 0;
    double total = 0;
};

/// What one iteration did. Iterations count finished updates: the first report has `iteration` 1. A plain value.
struct StepReport {
    std::int64_t iteration = 0;
    std::int64_t epoch = 0;
    double loss = 0;                                     ///< sum of the parts, mean over replicas
    std::vector<std::pair<std::string, double>> losses;  ///< the parts, by the model's names
    std::vector<std::pair<std::string, double>> metrics; ///< what the model measures besides, mean over replicas
    double learningRate = 0;
    double gradientNorm = 0; ///< global, before clipping
    StepTimings seconds;
    int queueFill = 0; ///< batches ready
    int queueCapacity = 0;
    std::int64_t memoryBytes = 0; ///< resident, of the process
    std::int64_t samples = 0;     ///< in the batch
};

/// The distribution of one tensor's elements. Non-finite elements are counted apart and touch nothing else.
struct TensorStatistics {
    static constexpr int kBins = 64; ///< by binary exponent, 2^-40 and below in the first, 2^23 and above in the last
    double norm = 0, minimum = 0, maximum = 0, mean = 0, deviation = 0;
    double zeroShare = 0;
    std::int64_t count = 0;
    std::int64_t nonFinite = 0;
    std::array<std::uint32_t, kBins> histogram{}; ///< of magnitudes
    std::vector<std::uint32_t> negatives;         ///< the part of it below zero; empty where nobody asked for that
};

/// One parameter and its gradient, on the summary cadence.
struct ParameterReport {
    std::string name;
    TensorStatistics weight;
    TensorStatistics gradient; ///< as applied: after multiplier, freeze and clip
    double updateToWeight = 0; ///< norm of the update by norm of the weight
};

struct StatisticsReport {
    std::int64_t iteration = 0;
    std::vector<ParameterReport> parameters;
    double regularisation = 0; ///< what the weight decay stands for: half of decay times squared norm, summed
};

/// What an evaluation found. `metrics` by the names of the design page ("bbox/AP50", "word_accuracy").
struct EvaluationReport {
    std::int64_t iteration = 0;
    std::vector<std::pair<std::string, double>> metrics;
    double seconds = 0;
    std::int64_t samples = 0;
    std::string dataset;
    std::string weights = "raw"; ///< "raw" or "averaged": which of the model's
};

/// What the engine is doing.
enum class Phase : int { // stored: fixed numbers
    Preparing = 0,
    Running = 1,
    Evaluating = 2,
    Checkpointing = 3,
    Paused = 4,
    Stopping = 5,
};

/// The true state of a run, as every button and list shows it.
enum class RunStatus : int { // stored: fixed numbers
    Queued = 0,
    Preparing = 1,
    Running = 2,
    Paused = 3,
    Stopping = 4,
    Stopped = 5, ///< by the user, with a checkpoint
    Finished = 6,
    Failed = 7,
    Lost = 8, ///< its owner died
};
const char* statusName(RunStatus status);

enum class EventKind : int { // stored: fixed numbers
    Started = 0,
    Resumed = 1,
    Paused = 2,
    Continued = 3,
    CheckpointSaved = 4,
    CheckpointDeleted = 5,
    RateChanged = 6,
    Evaluated = 7,
    Warning = 8,
    NonFinite = 9,
    Stopped = 10,
    Finished = 11,
    Failed = 12,
    ConfigurationChanged = 13,
    Note = 14,
};
const char* eventName(EventKind kind);

/// Something that happened to a run at an iteration.
struct RunEvent {
    EventKind kind = EventKind::Note;
    std::int64_t iteration = 0;
    std::int64_t wallMicroseconds = 0;
    std::string text;
};

/// A checkpoint as the lists show it.
struct CheckpointReport {
    std::int64_t iteration = 0;
    std::string path; ///< relative to the run's folder
    std::int64_t bytes = 0;
    std::int64_t wallMicroseconds = 0;
};

/// How far a phase before the first iteration is: "scanning data", 1 200 of 3 400.
struct PhaseReport {
    Phase phase = Phase::Preparing;
    std::string text;
    std::int64_t done = 0, total = 0;
    std::int64_t iteration = 0, iterations = 0;
};

} // namespace trainyard
