#pragma once

#include "core/base/Error.h"

#include <cstdint>
#include <functional>
#include <string>

namespace trainyard {

/// Who follows a download; each may be empty. Called on the caller's thread.
struct DownloadListener {
    std::function<void(std::int64_t done, std::int64_t total)> onProgress; ///< bytes; total is 0 where it is not said
    std::function<bool()> isCancelled;
};

/// Takes what came; an error ends the transfer and is its error.
using TakeBytes = std::function<Result<void>(const char* bytes, std::size_t count)>;

/// Fetches `address` (https; so is whatever it redirects to) and hands its bytes to `take`, at most `most` of them.
/// Certificates are checked against the system's, or those of the file that $SSL_CERT_FILE names. A Damaged error says
/// why not: the server's answer, a broken connection, silence for a minute; Interrupted where it was cancelled.
Result<void> download(const std::string& address, std::uint64_t most, const TakeBytes& take,
                      const DownloadListener& listener = {});

} // namespace trainyard
