#pragma once

#include "core/outputs/EventFile.h"
#include "core/outputs/OutputThread.h"
#include "core/telemetry/RunSink.h"

#include <memory>
#include <optional>

namespace trainyard {

/// Writes what a run reports into an event file: scalars and histograms where there are statistics, evaluations,
/// pictures, the graph, a profile. Called on the engine thread; messages are made and written on `thread`, which
/// outlives it.
class EventOutput final : public RunSink {
public:
    EventOutput(std::filesystem::path folder, OutputThread& thread) : m_folder(std::move(folder)), m_thread(thread) {}

    void onStep(const StepReport& report) override { m_step = report; }
    void onStatistics(const StatisticsReport& report) override;
    void onEvaluation(const EvaluationReport& report) override;
    void onPictures(const PictureReport& report) override;
    void onGraph(const GraphReport& report) override;
    void onProfile(const ProfileReport& report) override;

private:
    /// Makes an event of `make` on the thread; the file is created with the first one.
    void post(std::function<std::string(double wallSeconds)> make);

    std::filesystem::path m_folder;
    OutputThread& m_thread;
    std::optional<StepReport> m_step; ///< the last one
    double m_summarisedSeconds = 0;   ///< steady clock, at the summary before
    std::int64_t m_summarisedIteration = 0;
    std::shared_ptr<std::optional<EventFile>> m_file = std::make_shared<std::optional<EventFile>>(); ///< the thread's
};

} // namespace trainyard
