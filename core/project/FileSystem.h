#pragma once

#include <filesystem>
#include <memory>

namespace trainyard {

/// Whether `statfs` reports this number for a file system that is shared over a network (NFS, CIFS, Lustre, FUSE …),
/// where SQLite's WAL, which needs shared memory, does not work.
bool isNetworkFileSystem(unsigned long magic);

/// The same for the file system that holds `folder`; false where it cannot be asked.
bool isOnNetwork(const std::filesystem::path& folder);

/// Whether this process may write to a file, or make files in a folder; false where it does not exist.
bool mayWrite(const std::filesystem::path& path);

/// Free space of the disk that holds `path`, in millions of bytes.
double freeMegabytes(const std::filesystem::path& path);

/// A folder under the system's temporary one, removed with all its files by the destructor.
class TemporaryFolder {
public:
    TemporaryFolder(); ///< Throws std::runtime_error when there is no room for it.
    ~TemporaryFolder();
    TemporaryFolder(const TemporaryFolder&) = delete;
    TemporaryFolder& operator=(const TemporaryFolder&) = delete;
    const std::filesystem::path& path() const { return m_path; }

private:
    std::filesystem::path m_path;
};

} // namespace trainyard
