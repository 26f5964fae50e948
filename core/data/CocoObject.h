#pragma once

#include "core/base/Json.h"
#include "core/telemetry/Annotation.h"

#include <string>
#include <vector>

namespace trainyard {

/// One entry of COCO's `annotations`, without its label. The message says what is malformed. What was left out of it is
/// told in `remarks`: "has a polygon of …".
Result<ObjectAnnotation> readCocoObject(const nlohmann::json& entry, std::vector<std::string>& remarks);

} // namespace trainyard
