#include "app/engine/Task.h"

#include "app/engine/DetectionTask.h"
#include "app/engine/RecognitionTask.h"

#include <fmt/format.h>

#include <algorithm>

namespace trainyard {

std::unique_ptr<Task> Task::make(const RunConfig& config, std::vector<std::string> classes) {
    if (taskOf(config.model) == TaskKind::Recognition)
        return std::make_unique<RecognitionTask>(config);
    return std::make_unique<DetectionTask>(config, std::move(classes));
}

Result<std::string> bestMetricOf(const Task& task, const RunConfig& config) {
    if (const auto ready = task.ready(); !ready)
        return ready.error();
    const std::string& wanted = config.train.bestMetric;
    if (wanted.empty())
        return task.mainMetric();
    const auto names = task.metricNames();
    if (std::find(names.begin(), names.end(), wanted) != names.end())
        return wanted;
    return Error{ErrorKind::Usage, fmt::format("There is no metric “{}” in {}.", wanted, task.name()),
                 "train.best_metric", fmt::format("Use one of: {}.", fmt::join(names, ", "))};
}

} // namespace trainyard
