#include "core/fetch/Fetch.h"

#include "core/base/AtomicFile.h"
#include "core/base/InputFile.h"
#include "core/base/Text.h"
#include "core/fetch/Url.h"

#include <fmt/format.h>

#include <cstdlib>

namespace trainyard {
namespace {

constexpr std::uint64_t kMostBytes = 16ull << 30, kMostChecksumBytes = 4096;
constexpr const char* kBeside = ".md5sum";

/// "0676ba61…  R-50.pkl": the first word of a file of md5sum.
std::optional<Checksum> checksumIn(std::string_view text) {
    const std::string_view line = text::trimmed(text.substr(0, text.find('\n')));
    return parseChecksum("md5=" + std::string(line.substr(0, line.find_first_of(" \t\r"))));
}

std::filesystem::path besideOf(std::filesystem::path file) {
    file += kBeside;
    return file;
}

/// What the server says beside the file, or what it said when the file came here, so that it can be used without the
/// net.
Result<std::string> textBeside(const Url& url, const std::filesystem::path& file, const DownloadListener& listener) {
    if (isRegularFile(file) && isRegularFile(besideOf(file)))
        if (auto kept = readFile(besideOf(file), ErrorKind::Damaged); kept && checksumIn(*kept))
            return kept;
    std::string text;
    DownloadListener quiet;
    quiet.isCancelled = listener.isCancelled;
    const auto fetched = download(
        url.address + kBeside, kMostChecksumBytes,
        [&](const char* bytes, std::size_t count) -> Result<void> {
            text.append(bytes, count);
            return {};
        },
        quiet);
    if (!fetched && fetched.error().kind == ErrorKind::Interrupted)
        return fetched.error();
    if (!fetched || !checksumIn(text))
        return Error{ErrorKind::Usage, "There is nothing to check this file against.", url.address,
                     "Write its checksum behind the address: URL#sha256=DIGITS."};
    return text;
}

Result<void> makeFolder(const std::filesystem::path& folder) {
    std::error_code failed;
    std::filesystem::create_directories(folder, failed);
    if (failed)
        return Error{ErrorKind::Damaged, fmt::format("The cache's folder cannot be made: {}.", failed.message()),
                     folder.string(), "Choose another cache by the variable TRAINYARD_CACHE."};
    return {};
}

Result<void> downloadInto(const std::filesystem::path& path, const Url& url, const Checksum& checksum,
                          const DownloadListener& listener) {
    auto file = AtomicFile::create(path);
    if (!file)
        return file.error();
    Digest digest(checksum.kind);
    const auto fetched = download(
        url.address, kMostBytes,
        [&](const char* bytes, std::size_t count) {
            digest.add(bytes, count);
            return file->write(bytes, count);
        },
        listener);
    if (!fetched)
        return fetched.error();
    if (const std::string found = digest.hex(); !checksum.fits(found))
        return Error{ErrorKind::Damaged,
                     fmt::format("The file is not the one that was meant: its checksum should be {} and is {}.",
                                 checksum.name(), found),
                     url.address, "Check the address and its checksum; the file was not kept."};
    return file->commit();
}

} // namespace

std::filesystem::path cacheFolder() {
    const auto valueOf = [](const char* name) {
        const char* value = std::getenv(name);
        return value ? std::filesystem::path(value) : std::filesystem::path();
    };
    if (const auto own = valueOf("TRAINYARD_CACHE"); !own.empty())
        return own;
    if (const auto shared = valueOf("XDG_CACHE_HOME"); !shared.empty())
        return shared / "trainyard";
    return valueOf("HOME") / ".cache" / "trainyard";
}

Result<std::filesystem::path> fetch(const std::string& text, const std::filesystem::path& cache,
                                    const DownloadListener& listener) {
    const auto url = parseUrl(text);
    if (!url)
        return url.error();
    const std::filesystem::path file = cache / url->cachePath;
    std::string beside;
    if (!url->checksum) {
        auto text = textBeside(*url, file, listener);
        if (!text)
            return text.error();
        beside = std::move(*text);
    }
    const Checksum checksum = url->checksum ? *url->checksum : *checksumIn(beside);
    if (isRegularFile(file))
        if (const auto found = digestOf(file, checksum.kind); found && checksum.fits(*found))
            return file;
    if (auto made = makeFolder(file.parent_path()); !made)
        return made.error();
    if (auto fetched = downloadInto(file, *url, checksum, listener); !fetched)
        return fetched.error();
    if (!beside.empty())
        if (auto kept = writeFile(besideOf(file), beside); !kept)
            return kept.error();
    return file;
}

} // namespace trainyard
