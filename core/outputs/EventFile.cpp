#include "core/outputs/EventFile.h"

#include "core/base/Clock.h"
#include "core/data/TfRecordFile.h"
#include "core/outputs/EventMessages.h"

#include <fmt/format.h>

#include <atomic>
#include <cerrno>
#include <cstring>
#include <system_error>
#include <unistd.h>

namespace trainyard {
namespace {

std::string hostName() {
    char name[256] = {};
    return ::gethostname(name, sizeof(name) - 1) == 0 && name[0] != 0 ? name : "localhost";
}

Error cannotWrite(const std::filesystem::path& path) {
    return {ErrorKind::Damaged, fmt::format("The event file cannot be written: {}.", std::strerror(errno)),
            path.string(), "Make room there, or turn train.event_files off."};
}

} // namespace

Result<EventFile> EventFile::create(const std::filesystem::path& folder) {
    static std::atomic<int> s_number = 0; // two files of one second and process
    std::error_code ignored;              // opening the file says what is wrong
    std::filesystem::create_directory(folder, ignored);
    const double now = double(wallMicroseconds()) / 1e6;
    const auto path = folder / fmt::format("events.out.tfevents.{:010}.{}.{}.{}", std::int64_t(now), hostName(),
                                           ::getpid(), s_number++);
    std::FILE* file = std::fopen(path.c_str(), "wb");
    if (!file)
        return cannotWrite(folder); // told once, however often it is tried
    EventFile events(path, file);
    if (auto written = events.append(events::versionEvent(now)); !written)
        return written.error();
    return events;
}

Result<void> EventFile::append(std::string_view event) {
    const std::string record = asTfRecord(event);
    if (std::fwrite(record.data(), 1, record.size(), m_file.get()) != record.size() || std::fflush(m_file.get()) != 0)
        return cannotWrite(m_path);
    return {};
}

} // namespace trainyard
