#pragma once

#include "app/cli/Output.h"
#include "app/engine/SpeedMeter.h"
#include "core/project/Project.h"
#include "core/telemetry/RunSink.h"

#include <filesystem>
#include <string>
#include <vector>

namespace trainyard::cli {

/// Tells standard output what an engine does, one object a line. Called on the engine thread; the writing is done on
/// another.
class JsonLines final : public RunSink {
public:
    explicit JsonLines(int descriptor) : m_writer(descriptor) {}

    /// The first line. `configFile` is the resolved configuration.
    void begin(std::int64_t run, const std::filesystem::path& folder, const std::filesystem::path& configFile);
    /// The last line.
    void end(RunStatus status, std::int64_t iteration, const std::vector<CheckpointRecord>& checkpoints);

    void onPhase(const PhaseReport& report) override { m_speed.onPhase(report); }
    void onStep(const StepReport& report) override;
    void onEvaluation(const EvaluationReport& report) override;
    void onCheckpoint(const CheckpointReport& report) override;
    void onEvent(const RunEvent& event) override;

private:
    LineWriter m_writer;
    SpeedMeter m_speed;
    std::string m_folder;
};

} // namespace trainyard::cli
