#pragma once

#include "core/solve/WeightAverage.h"
#include "core/train/CheckpointWriter.h"
#include "core/train/ReplicaTeam.h"
#include "core/train/RunProgress.h"
#include "core/train/RunVoice.h"

#include <filesystem>
#include <map>
#include <optional>
#include <string>

namespace trainyard {

/// Takes the trainer's snapshots to the writer and its news to the run's sink. Trainer's thread.
class CheckpointKeeper {
public:
    /// `facts` go into every checkpoint's text; `average` may be null.
    CheckpointKeeper(CheckpointWriter& writer, CheckpointCatalog& catalog, ReplicaTeam& team,
                     const WeightAverage* average, RunVoice& voice, std::map<std::string, std::string> facts)
        : m_writer(writer), m_catalog(catalog), m_team(team), m_average(average), m_voice(voice),
          m_facts(std::move(facts)) {}

    /// Copies the state in memory and has it written beside; waits only for a checkpoint still being written.
    void save(const RunProgress& progress, std::optional<double> metric, bool isBest, bool isFinal);
    /// Notes the metric of a checkpoint that was saved before it was evaluated.
    void note(std::int64_t iteration, double metric, bool isBest);
    /// Passes on what the writer has to tell. With `isQuiet`, failures are left out: they were told already.
    void hear(bool isQuiet = false);
    /// Waits until nothing is being written; the error of a checkpoint that could not be.
    Result<void> settle(bool isQuiet = false);
    bool hasFailed() const { return m_writer.holdsFailure(); }
    Result<void> retry(); ///< one more attempt, awaited
    const std::optional<Error>& lastFailure() const { return m_lastFailure; }
    std::int64_t neededBytes() const { return m_writer.neededBytes(); }

    /// The newest iteration of which a checkpoint is there or on its way.
    std::optional<std::int64_t> newest() const { return m_newest; }
    void setNewest(std::int64_t iteration) { m_newest = iteration; }

private:
    TrainingState snapshot(const RunProgress& progress);

    CheckpointWriter& m_writer;
    CheckpointCatalog& m_catalog;
    ReplicaTeam& m_team;
    const WeightAverage* m_average;
    RunVoice& m_voice;
    std::map<std::string, std::string> m_facts;
    std::optional<std::int64_t> m_newest;
    std::optional<Error> m_lastFailure;
};

} // namespace trainyard
