#pragma once

#include "core/solve/LearningRatePolicy.h"
#include "core/train/CheckpointKeeper.h"
#include "core/train/StepRunner.h"
#include "core/train/Trainer.h"

#include <memory>
#include <optional>

namespace trainyard {

/// The iterations of a run from where it stands to where it ends, with everything that happens between two of them:
/// commands, evaluation, checkpoints, pauses. Trainer's thread.
class TrainingLoop {
public:
    /// Everything borrowed outlives it; `average` may be null; `progress` is kept up to date, for whoever catches what
    /// `run` throws.
    TrainingLoop(const TrainerParts& parts, CheckpointDisk& disk, ReplicaTeam& team, WeightAverage* average,
                 CheckpointKeeper& keeper, RunVoice& voice, RunProgress& progress);
    RunOutcome run();

private:
    bool isDone() const { return m_progress.iteration >= m_parts.config.solve.iterations; }
    /// One iteration with its report, evaluation and checkpoint; the error that ends the run.
    std::optional<Error> iterate();
    std::optional<Error> step();
    void report(const StepResult& result);
    void noteRate(double rate);
    std::optional<Error> meetNonFinite(const NonFiniteFinding& finding);
    void saveWhereDue();
    bool isTimeToSave() const; ///< by the clock
    void save();               ///< a checkpoint of this iteration, unless there is one

    bool isStopWanted() const { return m_parts.mailbox && m_parts.mailbox->holdsStop(); }
    void obeyCommands();
    void obey(const Command& command);
    void pause();
    void pauseForDisk();
    void changeRate(double rate);

    bool isEvaluationDue() const;
    /// Scores the model now and remembers the best; the error that ends the run.
    std::optional<Error> evaluate();
    Result<EvaluationReport> score(); ///< by the weights that the configuration names
    void judge(const EvaluationReport& report);

    RunOutcome finish(std::optional<Error> error);
    RunOutcome stop();
    RunOutcome fail(Error error);

    const TrainerParts& m_parts;
    CheckpointDisk& m_disk;
    ReplicaTeam& m_team;
    WeightAverage* m_average;
    CheckpointKeeper& m_keeper;
    RunVoice& m_voice;
    RunProgress& m_progress;
    std::unique_ptr<LearningRatePolicy> m_policy;
    StepRunner m_steps;
    double m_rate = 0;                    ///< of the update before, in this session
    std::int64_t m_savedMicroseconds = 0; ///< when a checkpoint was taken last, or the loop began
    bool m_isStopping = false;
    std::optional<Error> m_failure; ///< of a deed between iterations, to end the run with
    std::optional<double> m_metric; ///< of an evaluation at this iteration
    bool m_isBest = false;
};

} // namespace trainyard
