#pragma once

#include "core/base/Error.h"
#include "core/fetch/Digest.h"

#include <filesystem>
#include <optional>
#include <string>

namespace trainyard {

/// Whether a text that may be a path names something on the net ("https://…", or another scheme).
bool isUrl(const std::string& pathOrUrl);

/// An address that may be fetched.
struct Url {
    std::string address;              ///< without its fragment
    std::string host;                 ///< with its port, where it has one
    std::string fileName;             ///< the last part of the path
    std::optional<Checksum> checksum; ///< of the fragment, or else of the file's name
    std::filesystem::path cachePath;  ///< below the cache: host and path, made safe; a query is hashed into the name
};

/// A Usage error for other schemes than https, addresses with a password, without a file, or with a fragment that is no
/// checksum.
Result<Url> parseUrl(const std::string& text);

} // namespace trainyard
