#include "app/cli/JsonLines.h"

#include "app/cli/Json.h"

namespace trainyard::cli {

void JsonLines::begin(std::int64_t run, const std::filesystem::path& folder, const std::filesystem::path& configFile) {
    m_folder = folder.string();
    m_writer.add(
        toLine({{"event", "run"}, {"id", run}, {"folder", folder.string()}, {"configuration", configFile.string()}}));
}

void JsonLines::end(RunStatus status, std::int64_t iteration, const std::vector<CheckpointRecord>& checkpoints) {
    m_writer.add(toLine(finishedEvent(status, iteration, checkpoints, m_folder)));
}

void JsonLines::onStep(const StepReport& report) {
    m_speed.onStep(report);
    m_writer.add(toLine(iterationEvent(report, m_speed.secondsLeft())));
}

void JsonLines::onEvaluation(const EvaluationReport& report) {
    m_writer.add(toLine(evaluationEvent(report)));
}

void JsonLines::onCheckpoint(const CheckpointReport& report) {
    m_writer.add(toLine(checkpointEvent(report, m_folder)));
}

void JsonLines::onEvent(const RunEvent& event) {
    if (event.kind == EventKind::Warning || event.kind == EventKind::NonFinite)
        m_writer.add(toLine(warningEvent(event)));
}

} // namespace trainyard::cli
