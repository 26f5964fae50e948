#pragma once

#include "core/base/Error.h"

#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>

namespace trainyard {

/// The file of weights that `pathOrUrl` names: a path as it is; of an https address the file in the user's cache, where
/// it is fetched to first (core/fetch). `onProgress` hears of bytes, and `isCancelled` is asked, while it comes.
Result<std::filesystem::path>
weightSource(const std::string& pathOrUrl,
             const std::function<void(std::int64_t done, std::int64_t total)>& onProgress = {},
             const std::function<bool()>& isCancelled = {});

} // namespace trainyard
