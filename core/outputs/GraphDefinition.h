#pragma once

#include "core/telemetry/OperatorReport.h"

#include <string>

namespace trainyard {

/// What was executed as TensorFlow's GraphDef, as bytes: a node a call, named after its operator and number, and one a
/// parameter, named after it with slashes for dots, so that TensorBoard folds them by module.
/// Source: graph.proto, node_def.proto, attr_value.proto of TensorFlow.
std::string graphDefinition(const GraphReport& report);

} // namespace trainyard
