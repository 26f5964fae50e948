#pragma once

#include "core/solve/Parameter.h"

#include <string>
#include <vector>

namespace trainyard {

/// What happened to the gradients on their way to the optimiser.
struct GradientReport {
    double norm = 0; ///< global L2 norm before clipping, over what is trained
    bool isFinite = true;
    std::vector<std::string> nonFinite; ///< parameters whose gradient holds NaN or infinity, in the model's order
};

/// The seeds' order: numerics check, bias multiplier, freeze, clip (each gradient by its own norm, then all by the
/// global one, then each element). The update comes after it. Where the check fails the later steps are not done.
/// Deterministic for a fixed thread count.
GradientReport runGradientPipeline(const std::vector<Parameter>& parameters, const SolveConfig& config);

} // namespace trainyard
