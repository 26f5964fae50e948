#pragma once

#include "core/base/Error.h"

#include <cstdio>
#include <filesystem>
#include <memory>
#include <string_view>

namespace trainyard {

/// A file that TensorBoard follows: records, each with its checksums, that are appended whole. One thread.
/// Source: TensorFlow's guide "TFRecord and tf.train.Example" for the records.
class EventFile {
public:
    /// Makes `folder`/events.out.tfevents.SECONDS.HOST.PROCESS.NUMBER and writes its first event; the folder is made,
    /// its own folder must be there.
    static Result<EventFile> create(const std::filesystem::path& folder);

    Result<void> append(std::string_view event);
    const std::filesystem::path& path() const { return m_path; }

private:
    struct Closer {
        void operator()(std::FILE* file) const { std::fclose(file); }
    };
    EventFile(std::filesystem::path path, std::FILE* file) : m_path(std::move(path)), m_file(file) {}

    std::filesystem::path m_path;
    std::unique_ptr<std::FILE, Closer> m_file;
};

} // namespace trainyard
