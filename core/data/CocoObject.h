#pragma once

#include "core/data/Json.h"
#include "core/telemetry/Annotation.h"

namespace trainyard {

/// One entry of COCO's `annotations`, without its label. The message says what is malformed.
Result<ObjectAnnotation> readCocoObject(const nlohmann::json& entry);

} // namespace trainyard
