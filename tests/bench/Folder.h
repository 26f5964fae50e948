#pragma once

#include <cstdlib>
#include <filesystem>
#include <stdexcept>
#include <string>

namespace trainyard::bench {

/// A folder under the system's temporary one for as long as the benchmarks that share it.
class Folder {
public:
    Folder() {
        std::string pattern = (std::filesystem::temp_directory_path() / "trainyard-bench-XXXXXX").string();
        if (!::mkdtemp(pattern.data()))
            throw std::runtime_error("no temporary folder");
        m_path = pattern;
    }
    ~Folder() {
        std::error_code ignored; // the system clears its temporary folder
        std::filesystem::remove_all(m_path, ignored);
    }
    Folder(const Folder&) = delete;
    Folder& operator=(const Folder&) = delete;

    /// A new, empty folder inside.
    std::filesystem::path next() {
        const auto folder = m_path / std::to_string(++m_count);
        std::filesystem::create_directory(folder);
        return folder;
    }

private:
    std::filesystem::path m_path;
    int m_count = 0;
};

} // namespace trainyard::bench
