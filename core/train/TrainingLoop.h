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
    /// Everything borrowed outlives it; `progress` is kept up to date, for whoever catches what `run` throws.
    TrainingLoop(const TrainerParts& parts, CheckpointDisk& disk, ReplicaTeam& team, CheckpointKeeper& keeper,
                 RunVoice& voice, RunProgress& progress);
    RunOutcome run();

private:
    bool isDone() const { return m_progress.iteration >= m_parts.config.solve.iterations; }
    /// One iteration with its report, evaluation and checkpoint; the error that ends the run.
    std::optional<Error> iterate();
    std::optional<Error> step();
    std::optional<Error> meetNonFinite(const NonFiniteFinding& finding);
    void saveWhereDue();
    void save(); ///< a checkpoint of this iteration, unless there is one

    bool isStopWanted() const { return m_parts.mailbox && m_parts.mailbox->holdsStop(); }
    void obeyCommands();
    void obey(const Command& command);
    void pause();
    void pauseForDisk();
    void changeRate(double rate);

    bool isEvaluationDue() const;
    /// Scores the model now and remembers the best; the error that ends the run.
    std::optional<Error> evaluate();
    void judge(const EvaluationReport& report);

    RunOutcome finish(std::optional<Error> error);
    RunOutcome stop();
    RunOutcome fail(Error error);

    const TrainerParts& m_parts;
    CheckpointDisk& m_disk;
    ReplicaTeam& m_team;
    CheckpointKeeper& m_keeper;
    RunVoice& m_voice;
    RunProgress& m_progress;
    std::unique_ptr<LearningRatePolicy> m_policy;
    StepRunner m_steps;
    bool m_isStopping = false;
    std::optional<Error> m_failure; ///< of a deed between iterations, to end the run with
    std::optional<double> m_metric; ///< of an evaluation at this iteration
    bool m_isBest = false;
};

} // namespace trainyard
