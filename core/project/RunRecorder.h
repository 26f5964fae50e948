#pragma once

#include "core/base/Error.h"
#include "core/telemetry/RunSink.h"

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

namespace trainyard {

/// Writes what an engine reports into the project, on a thread of its own: the engine puts reports into a bounded ring
/// and goes on. If the disk is slow or full everything stays in memory and is tried again; `trouble` says so. The
/// destructor writes what is left and joins the thread.
class RunRecorder : public RunSink {
public:
    /// Begins a session of the run, in its points and in the project (so nobody else calls `beginSession`), and sets
    /// its status to preparing. From then on the status follows phases and the events Stopped, Finished and Failed.
    static Result<std::unique_ptr<RunRecorder>> start(const std::filesystem::path& projectFolder, std::int64_t run,
                                                      std::int64_t fromIteration);
    /// Waits until everything reported so far is on disk (before a checkpoint is announced, at the end, in tests).
    virtual Result<void> drain() = 0;
    /// Warnings about the run's files that are recorded already and that others may want to hear. Any thread.
    virtual std::vector<RunEvent> takeNews() = 0;
    /// The sentence of the last failed write, empty when all is well. Any thread.
    virtual std::string trouble() const = 0;
};

} // namespace trainyard
