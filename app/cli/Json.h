#pragma once

#include "core/evaluate/Metrics.h"
#include "core/project/Project.h"
#include "core/telemetry/StepReport.h"

#include <nlohmann/json.hpp>

#include <optional>
#include <string>

namespace trainyard::cli {

/// Keys keep the order they were written in.
using Json = nlohmann::ordered_json;

/// One object on one line. Numbers read back to the same value; NaN and infinities are null, for JSON has neither; text
/// that is not UTF-8 gets replacement characters.
std::string toLine(const Json& json);

Json iterationEvent(const StepReport& report, std::optional<double> secondsLeft);
Json checkpointEvent(const CheckpointReport& report, const std::string& runFolder);
Json evaluationEvent(const EvaluationReport& report);
Json warningEvent(const RunEvent& event);
/// With the checkpoints that are there, by iteration, and the last one again as "final" where the run is finished.
Json finishedEvent(RunStatus status, std::int64_t iteration, const std::vector<CheckpointRecord>& checkpoints,
                   const std::string& runFolder);
/// Numbers by name.
Json namedNumbers(const std::vector<std::pair<std::string, double>>& numbers);
/// Metrics by name; null where there was nothing to measure.
Json metricsObject(const Metrics& metrics);
Json metricJson(double metric);

Json toJson(const RunRecord& run);
Json toJson(const CheckpointRecord& checkpoint);

} // namespace trainyard::cli
