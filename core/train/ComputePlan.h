#pragma once

#include "core/base/Error.h"
#include "core/config/RunConfig.h"

#include <c10/core/Device.h>

#include <vector>

namespace trainyard {

/// On what a run computes, with every `auto` settled.
struct ComputePlan {
    std::vector<c10::Device> devices; ///< one a replica
    bool isBf16 = false;              ///< forward passes under autocast
    int threads = 1;                  ///< compute threads of each replica: all cores, since loading needs few percent of one
};

/// The cores that this process may use; at least one.
int usableCores();

/// A Usage error names a device that is not here.
Result<ComputePlan> planCompute(const RunConfig& config);

} // namespace trainyard
