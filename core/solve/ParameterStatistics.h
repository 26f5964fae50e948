#pragma once

#include "core/solve/Parameter.h"
#include "core/telemetry/StepReport.h"

#include <vector>

namespace trainyard {

/// Statistics of one tensor in one pass over its memory (float32 on the CPU or, where built, on a GPU).
TensorStatistics statisticsOf(const torch::Tensor& tensor);

/// Weight and gradient of every parameter in one fused, threaded pass. `updateNorms` may be empty or hold the norm of
/// each parameter's last update.
StatisticsReport statisticsOf(const std::vector<Parameter>& parameters, std::int64_t iteration,
                              const std::vector<double>& updateNorms = {});

} // namespace trainyard
