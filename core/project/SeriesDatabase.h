#pragma once

#include "core/project/Database.h"

namespace trainyard {

extern const DatabaseKind kSeriesKind;

} // namespace trainyard
