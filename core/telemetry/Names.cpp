#include "core/telemetry/StepReport.h"

namespace trainyard {

const char* statusName(RunStatus status) {
    switch (status) {
    case RunStatus::Queued: return "queued";
    case RunStatus::Preparing: return "preparing";
    case RunStatus::Running: return "running";
    case RunStatus::Paused: return "paused";
    case RunStatus::Stopping: return "stopping";
    case RunStatus::Stopped: return "stopped";
    case RunStatus::Finished: return "finished";
    case RunStatus::Failed: return "failed";
    case RunStatus::Lost: return "lost";
    }
    return "unknown";
}

const char* eventName(EventKind kind) {
    switch (kind) {
    case EventKind::Started: return "started";
    case EventKind::Resumed: return "resumed";
    case EventKind::Paused: return "paused";
    case EventKind::Continued: return "continued";
    case EventKind::CheckpointSaved: return "checkpoint saved";
    case EventKind::CheckpointDeleted: return "checkpoint deleted";
    case EventKind::RateChanged: return "rate changed";
    case EventKind::Evaluated: return "evaluated";
    case EventKind::Warning: return "warning";
    case EventKind::NonFinite: return "non-finite loss";
    case EventKind::Stopped: return "stopped";
    case EventKind::Finished: return "finished";
    case EventKind::Failed: return "failed";
    case EventKind::ConfigurationChanged: return "configuration changed";
    case EventKind::Note: return "note";
    }
    return "unknown";
}

} // namespace trainyard
