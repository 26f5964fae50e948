#include "app/engine/WeightSource.h"

#include "core/fetch/Fetch.h"
#include "core/fetch/Url.h"

namespace trainyard {

Result<std::filesystem::path> weightSource(const std::string& pathOrUrl,
                                           const std::function<void(std::int64_t done, std::int64_t total)>& onProgress,
                                           const std::function<bool()>& isCancelled) {
    if (!isUrl(pathOrUrl))
        return std::filesystem::path(pathOrUrl);
    return fetch(pathOrUrl, cacheFolder() / "weights", {onProgress, isCancelled});
}

} // namespace trainyard
