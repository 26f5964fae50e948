#pragma once

#include "core/base/Error.h"
#include "core/models/Model.h"

#include <cstdint>
#include <string>

namespace trainyard {

/// How many classes a detector has: `asked`, which `key` of the configuration says, or as many as the data has where
/// that is 0. Fails with a Usage error when neither says, or the data has more.
Result<std::int64_t> detectorClasses(const std::string& key, std::int64_t asked, const ModelContext& context);

} // namespace trainyard
