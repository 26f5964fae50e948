#pragma once

#include "core/base/Json.h"
#include "core/telemetry/Annotation.h"

namespace trainyard {

/// One entry of COCO's `annotations`, without its label. The message says what is malformed.
Result<ObjectAnnotation> readCocoObject(const nlohmann::json& entry);

} // namespace trainyard
