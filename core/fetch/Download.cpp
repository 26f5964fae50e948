#include "core/fetch/Download.h"

#include <curl/curl.h>
#include <fmt/format.h>

#include <cstdlib>
#include <memory>
#include <optional>

namespace trainyard {
namespace {

constexpr long kConnectSeconds = 30, kSilentSeconds = 60, kMostRedirections = 10, kLeastBytesASecond = 1;

struct Transfer {
    const TakeBytes& take;
    const DownloadListener& listener;
    std::uint64_t room;
    std::optional<Error> error = {};
    bool isTooLong = false;
};

std::size_t onBytes(char* bytes, std::size_t size, std::size_t count, void* data) {
    auto& transfer = *static_cast<Transfer*>(data);
    const std::size_t all = size * count;
    transfer.isTooLong = all > transfer.room;
    if (transfer.isTooLong)
        return CURL_WRITEFUNC_ERROR;
    transfer.room -= all;
    if (const auto taken = transfer.take(bytes, all); !taken) {
        transfer.error = taken.error();
        return CURL_WRITEFUNC_ERROR;
    }
    return all;
}

int onProgress(void* data, curl_off_t total, curl_off_t done, curl_off_t, curl_off_t) {
    const DownloadListener& listener = static_cast<Transfer*>(data)->listener;
    if (listener.onProgress)
        listener.onProgress(done, total);
    return listener.isCancelled && listener.isCancelled() ? 1 : 0;
}

struct FreeHandle {
    void operator()(CURL* handle) const { curl_easy_cleanup(handle); }
};

/// Once a process; libcurl wants it before the first transfer.
void startCurl() {
    static const CURLcode started = curl_global_init(CURL_GLOBAL_DEFAULT);
    (void)started; // a failure shows in curl_easy_init
}

void setOptions(CURL* handle, const std::string& address, Transfer& transfer, char* why) {
    curl_easy_setopt(handle, CURLOPT_URL, address.c_str());
    curl_easy_setopt(handle, CURLOPT_PROTOCOLS_STR, "https");
    curl_easy_setopt(handle, CURLOPT_REDIR_PROTOCOLS_STR, "https");
    curl_easy_setopt(handle, CURLOPT_FOLLOWLOCATION, 1L);
    curl_easy_setopt(handle, CURLOPT_MAXREDIRS, kMostRedirections);
    curl_easy_setopt(handle, CURLOPT_FAILONERROR, 1L);
    curl_easy_setopt(handle, CURLOPT_NOSIGNAL, 1L); // other threads live here
    curl_easy_setopt(handle, CURLOPT_CONNECTTIMEOUT, kConnectSeconds);
    curl_easy_setopt(handle, CURLOPT_LOW_SPEED_LIMIT, kLeastBytesASecond);
    curl_easy_setopt(handle, CURLOPT_LOW_SPEED_TIME, kSilentSeconds);
    curl_easy_setopt(handle, CURLOPT_USERAGENT, "trainyard");
    curl_easy_setopt(handle, CURLOPT_ERRORBUFFER, why);
    curl_easy_setopt(handle, CURLOPT_WRITEFUNCTION, &onBytes);
    curl_easy_setopt(handle, CURLOPT_WRITEDATA, &transfer);
    curl_easy_setopt(handle, CURLOPT_NOPROGRESS, 0L);
    curl_easy_setopt(handle, CURLOPT_XFERINFOFUNCTION, &onProgress);
    curl_easy_setopt(handle, CURLOPT_XFERINFODATA, &transfer);
    if (const char* certificates = std::getenv("SSL_CERT_FILE"); certificates && *certificates)
        curl_easy_setopt(handle, CURLOPT_CAINFO, certificates);
}

} // namespace

Result<void> download(const std::string& address, std::uint64_t most, const TakeBytes& take,
                      const DownloadListener& listener) {
    startCurl();
    const std::unique_ptr<CURL, FreeHandle> handle(curl_easy_init());
    if (!handle)
        return Error{ErrorKind::Unexpected, "The library for the net cannot be started.", address, ""};
    Transfer transfer{take, listener, most};
    char why[CURL_ERROR_SIZE] = {};
    setOptions(handle.get(), address, transfer, why);
    const CURLcode code = curl_easy_perform(handle.get());
    if (code == CURLE_OK)
        return {};
    if (transfer.error)
        return *transfer.error;
    if (code == CURLE_ABORTED_BY_CALLBACK)
        return Error{ErrorKind::Interrupted, "The download was cancelled.", address, ""};
    const std::string reason = transfer.isTooLong ? fmt::format("it is longer than {} bytes", most)
                               : why[0] != '\0'   ? std::string(why)
                                                  : std::string(curl_easy_strerror(code));
    return Error{ErrorKind::Damaged, fmt::format("The file cannot be fetched: {}.", reason), address,
                 "Check the address and the network; what was fetched so far is not kept."};
}

} // namespace trainyard
