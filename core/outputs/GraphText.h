#pragma once

#include "core/telemetry/OperatorReport.h"

#include <string>

namespace trainyard {

/// What was executed, a line a call: its number, its operator, where each input comes from ("%NUMBER" of another call,
/// the name of a parameter, or "input") with type and shape, and its outputs. `3 aten::conv2d (%2 float32 [8, 3, 32,
/// 100]; conv.weight float32 [64, 3, 3, 3]) -> (float32 [8, 64, 32, 100])`
std::string graphText(const GraphReport& report);

/// How each parameter began, a line each, tabs between: name, shape, initialiser, mean, deviation, minimum, maximum,
/// trained or frozen.
std::string initialText(const InitialReport& report);

} // namespace trainyard
