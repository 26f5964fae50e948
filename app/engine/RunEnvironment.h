#pragma once

#include "app/engine/DataRecord.h"
#include "core/base/Error.h"
#include "core/project/Project.h"

#include <string>
#include <vector>

namespace trainyard {

/// What decides a run's last digits beside its configuration. A value.
struct RunEnvironment {
    std::string libraries; ///< "LibTorch 1.13.1, OpenCV 4.6.0"
    std::string cpu;       ///< "Intel Xeon …, AMX"
    DataRecord data;
};

/// What differs from what the run was made with, a sentence each; empty when it goes on exactly.
std::vector<std::string> environmentChanges(const RunProvenance& before, const DataRecord& dataBefore,
                                            const RunEnvironment& now);

/// The Usage error that lists `changes`.
Error refusedChanges(const std::string& run, const std::vector<std::string>& changes);

} // namespace trainyard
