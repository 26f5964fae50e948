#pragma once

#include "core/config/imports/ProtobufText.h"

namespace trainyard::aster {

/// The message that an ASTER configuration is (TrainEvalPipelineConfig), with all that can be in it and their defaults.
/// Source: the protos of bgshih/aster.
const protobuf::MessageType& pipelineConfig();

} // namespace trainyard::aster
