#pragma once

#include "core/base/Error.h"
#include "core/fetch/Download.h"

#include <filesystem>
#include <string>

namespace trainyard {

/// $TRAINYARD_CACHE, else $XDG_CACHE_HOME/trainyard, else ~/.cache/trainyard.
std::filesystem::path cacheFolder();

/// The file that an https address names, on this machine: the one in `cache` where it still has the right checksum,
/// else downloaded there. It lies under its name only once it is whole and its checksum is right. A Usage error for
/// addresses that are not fetched (Url.h) and for those without anything to check them against; Damaged where the
/// network fails or the checksum is wrong.
Result<std::filesystem::path> fetch(const std::string& url, const std::filesystem::path& cache,
                                    const DownloadListener& listener = {});

} // namespace trainyard
