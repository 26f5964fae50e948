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

/// The histogram of what lies below zero, bin by bin: with TensorStatistics::histogram one has both sides. A pass of
/// its own, for whoever needs the sign. Empty where the tensor is undefined.
std::vector<std::uint32_t> negativesOf(const torch::Tensor& tensor);
/// The same of every weight and gradient of a report on these parameters.
void countNegatives(StatisticsReport& report, const std::vector<Parameter>& parameters);

} // namespace trainyard
