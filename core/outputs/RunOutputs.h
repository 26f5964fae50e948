#pragma once

#include "core/config/RunConfig.h"
#include "core/outputs/EventOutput.h"
#include "core/outputs/JsonStats.h"
#include "core/outputs/OutputThread.h"
#include "core/telemetry/RunSink.h"

#include <filesystem>
#include <optional>
#include <string>

namespace trainyard {

/// What a run writes for other programs, as its configuration asks: event files, json_stats lines, the list of its
/// operators, a trace. Called on the engine thread; the writing is done on another.
class RunOutputs final : public RunSink {
public:
    /// `finished` updates are done before this session. `target` hears, as Warning events, what cannot be written; it
    /// may be the fan that this is part of, and outlives it.
    RunOutputs(const RunConfig& config, std::filesystem::path runFolder, std::int64_t finished, RunSink& target);

    /// Waits until everything is written, and tells what could not be.
    void finish();

    void onStep(const StepReport& report) override;
    void onStatistics(const StatisticsReport& report) override;
    void onEvaluation(const EvaluationReport& report) override;
    void onInitialValues(const InitialReport& report) override;
    void onGraph(const GraphReport& report) override;
    void onProfile(const ProfileReport& report) override;
    void onPictures(const PictureReport& report) override;

private:
    void tellTroubles();
    void appendStats(const std::string& line);
    /// Where the file is there already it stays: it is of the run's first start.
    void writeOnce(const char* name, std::function<std::string()> text);

    const TrainConfig m_config;
    const std::filesystem::path m_folder;
    RunSink& m_target;
    std::int64_t m_iteration;
    OutputThread m_thread;
    std::optional<EventOutput> m_events;
    std::optional<JsonStats> m_stats;
};

} // namespace trainyard
