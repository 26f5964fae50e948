#include "app/cli/Json.h"

#include "app/engine/CheckpointReference.h"
#include "core/base/Clock.h"

#include <filesystem>

namespace trainyard::cli {

namespace {
template <class T>
Json orNull(const std::optional<T>& value) {
    return value ? Json(*value) : Json(nullptr);
}
} // namespace

std::string toLine(const Json& json) {
    return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

Json namedNumbers(const std::vector<std::pair<std::string, double>>& numbers) {
    Json object = Json::object();
    for (const auto& [name, value] : numbers)
        object[name] = value;
    return object;
}

Json metricJson(double metric) {
    return isMeasured(metric) ? Json(metric) : Json(nullptr);
}

Json metricsObject(const Metrics& metrics) {
    Json object = Json::object();
    for (const auto& [name, value] : metrics)
        object[name] = metricJson(value);
    return object;
}

Json iterationEvent(const StepReport& report, std::optional<double> secondsLeft) {
    return {{"event", "iteration"},
            {"iteration", report.iteration},
            {"loss", report.loss},
            {"losses", namedNumbers(report.losses)},
            {"learning_rate", report.learningRate},
            {"seconds", report.seconds.total},
            {"eta_seconds", orNull(secondsLeft)}};
}

Json checkpointEvent(const CheckpointReport& report, const std::string& runFolder) {
    return {{"event", "checkpoint"},
            {"iteration", report.iteration},
            {"path", (std::filesystem::path(runFolder) / report.path).string()},
            {"bytes", report.bytes}};
}

Json evaluationEvent(const EvaluationReport& report) {
    Json json = {{"event", "evaluation"},
                 {"iteration", report.iteration},
                 {"metrics", metricsObject(report.metrics)},
                 {"samples", report.samples},
                 {"seconds", report.seconds}};
    if (!report.weights.empty())
        json["weights"] = report.weights;
    return json;
}

Json finishedEvent(RunStatus status, std::int64_t iteration, const std::vector<CheckpointRecord>& checkpoints,
                   const std::string& runFolder) {
    Json files = Json::object();
    std::string last;
    for (const CheckpointRecord& checkpoint : checkpoints) {
        if (checkpoint.isAbandoned || checkpoint.isMissing || checkpoint.isDeleted)
            continue;
        const std::string path = runFolder + "/" + checkpoint.report.path;
        files[std::to_string(checkpoint.report.iteration)] = path;
        if (checkpoint.isFinal)
            last = path;
    }
    if (!last.empty())
        files["final"] = last;
    return {{"event", "finished"}, {"status", statusName(status)}, {"iteration", iteration}, {"checkpoints", files}};
}

Json warningEvent(const RunEvent& event) {
    return {{"event", "warning"}, {"iteration", event.iteration}, {"text", event.text}};
}

Json toJson(const RunRecord& run) {
    return {{"run", run.id},
            {"name", run.name},
            {"folder", run.folder},
            {"model", run.modelType},
            {"task", run.task},
            {"status", statusName(run.status)},
            {"iteration", run.iteration},
            {"iterations", run.iterations},
            {"loss", run.loss},
            {"seconds", run.seconds},
            {"created", isoTime(run.createdMicroseconds)},
            {"updated", isoTime(run.updatedMicroseconds)},
            {"best_metric", run.bestMetricName.empty() ? Json(nullptr) : Json(run.bestMetricName)},
            {"best_value", run.bestMetric ? metricJson(*run.bestMetric) : Json(nullptr)},
            {"tags", run.tags},
            {"notes", run.notes},
            {"error", run.error.empty() ? Json(nullptr) : Json(run.error)}};
}

Json toJson(const CheckpointRecord& checkpoint) {
    return {{"checkpoint", checkpointLabel(checkpoint)},
            {"id", checkpoint.id},
            {"run", checkpoint.run},
            {"iteration", checkpoint.report.iteration},
            {"path", checkpoint.report.path},
            {"bytes", checkpoint.report.bytes},
            {"saved", isoTime(checkpoint.report.wallMicroseconds)},
            {"pinned", checkpoint.isPinned},
            {"best", checkpoint.isBest},
            {"final", checkpoint.isFinal},
            {"abandoned", checkpoint.isAbandoned},
            {"missing", checkpoint.isMissing},
            {"metric", checkpoint.metric ? metricJson(*checkpoint.metric) : Json(nullptr)}};
}

} // namespace trainyard::cli
