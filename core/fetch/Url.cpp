#include "core/fetch/Url.h"

#include "core/base/Fingerprint.h"

#include <curl/curl.h>

#include <memory>

namespace trainyard {
namespace {

constexpr std::size_t kLongestName = 150;

struct FreeUrl {
    void operator()(CURLU* url) const { curl_url_cleanup(url); }
};
using CurlUrl = std::unique_ptr<CURLU, FreeUrl>;

std::string part(const CurlUrl& url, CURLUPart what) {
    char* text = nullptr;
    if (curl_url_get(url.get(), what, &text, 0) != CURLUE_OK)
        return {};
    std::string copy = text;
    curl_free(text);
    return copy;
}

Error refuse(const std::string& text, std::string what, std::string remedy) {
    return {ErrorKind::Usage, std::move(what), text, std::move(remedy)};
}

/// One part of a path as the name of a file or folder: no "..", nothing hidden, no character of meaning.
std::string safeName(const std::string& name) {
    std::string safe;
    for (const char c : name.substr(0, kLongestName)) {
        const bool isPlain = (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '-' ||
                             c == '_' || (c == '.' && !safe.empty());
        safe += isPlain ? c : '_';
    }
    return name.size() > kLongestName ? safe + "-" + fingerprintOf(name) : safe;
}

std::filesystem::path cachePathOf(const std::string& host, const std::string& path, const std::string& query) {
    std::filesystem::path place = safeName(host);
    std::size_t start = 1;
    while (start < path.size()) {
        const std::size_t slash = std::min(path.find('/', start), path.size());
        if (slash > start)
            place /= safeName(path.substr(start, slash - start));
        start = slash + 1;
    }
    if (!query.empty())
        place.replace_filename(place.stem().string() + "-" + fingerprintOf(query) + place.extension().string());
    return place;
}

/// "resnet50-0676ba61.pth": PyTorch's files end in the first digits of their SHA-256.
std::optional<Checksum> checksumInName(const std::string& fileName) {
    const std::string stem = std::filesystem::path(fileName).stem().string();
    const std::size_t dash = stem.rfind('-');
    return dash == std::string::npos ? std::nullopt : parseChecksum("sha256=" + stem.substr(dash + 1));
}

} // namespace

bool isUrl(const std::string& pathOrUrl) {
    const std::size_t colon = pathOrUrl.find("://");
    return colon != std::string::npos && colon > 0 &&
           pathOrUrl.find_first_not_of("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789+.-") == colon;
}

Result<Url> parseUrl(const std::string& text) {
    const CurlUrl url(curl_url());
    if (!url || curl_url_set(url.get(), CURLUPART_URL, text.c_str(), CURLU_NON_SUPPORT_SCHEME) != CURLUE_OK)
        return refuse(text, "This is no address of a file on the net.", "Write it as https://HOST/PATH.");
    if (part(url, CURLUPART_SCHEME) != "https")
        return refuse(text, "Only addresses that begin with https are fetched.",
                      "Use the https address, or download the file and name it.");
    if (!part(url, CURLUPART_USER).empty() || !part(url, CURLUPART_PASSWORD).empty())
        return refuse(part(url, CURLUPART_HOST),
                      "An address with a password is not fetched, as runs keep it in plain text.",
                      "Download the file and name it.");
    Url parsed;
    const std::string fragment = part(url, CURLUPART_FRAGMENT), port = part(url, CURLUPART_PORT);
    const std::string path = part(url, CURLUPART_PATH), query = part(url, CURLUPART_QUERY);
    parsed.host = part(url, CURLUPART_HOST) + (port.empty() ? "" : ":" + port);
    parsed.fileName = path.substr(path.rfind('/') + 1);
    if (parsed.fileName.empty())
        return refuse(text, "The address names no file.", "Write it as https://HOST/PATH.");
    parsed.checksum = fragment.empty() ? checksumInName(parsed.fileName) : parseChecksum(fragment);
    if (!fragment.empty() && !parsed.checksum)
        return refuse(text, "What follows the # is no checksum.", "Write #sha256=DIGITS or #md5=DIGITS.");
    curl_url_set(url.get(), CURLUPART_FRAGMENT, nullptr, 0);
    parsed.address = part(url, CURLUPART_URL);
    parsed.cachePath = cachePathOf(parsed.host, path, query);
    return parsed;
}

} // namespace trainyard
