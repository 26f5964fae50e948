#include "core/project/FileSystem.h"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <fcntl.h>
#include <stdexcept>
#include <sys/statvfs.h>
#include <sys/vfs.h>
#include <unistd.h>

namespace trainyard {

// Numbers from statfs(2) and linux/magic.h.
bool isNetworkFileSystem(unsigned long magic) {
    static constexpr std::array<unsigned long, 15> kNetwork = {
        0x6969,     // NFS
        0x517B,     // SMB
        0xFF534D42, // CIFS
        0xFE534D42, // SMB2
        0x5346414F, // AFS
        0x6B414653, // AFS of the kernel
        0x73757245, // Coda
        0x01021997, // 9P
        0x65735546, // FUSE: sshfs and its like
        0x00C36400, // Ceph
        0x0BD00BD0, // Lustre
        0x47504653, // GPFS
        0x19830326, // BeeGFS
        0x01161970, // GFS2
        0x7461636F, // OCFS2
    };
    const unsigned long low = magic & 0xFFFFFFFFul; // f_type is signed on some machines
    return std::find(kNetwork.begin(), kNetwork.end(), low) != kNetwork.end();
}

bool isOnNetwork(const std::filesystem::path& folder) {
    struct statfs status {};
    return ::statfs(folder.c_str(), &status) == 0 && isNetworkFileSystem(static_cast<unsigned long>(status.f_type));
}

bool mayWrite(const std::filesystem::path& path) {
    return ::faccessat(AT_FDCWD, path.c_str(), W_OK, AT_EACCESS) == 0;
}

double freeMegabytes(const std::filesystem::path& path) {
    struct statvfs space {};
    if (::statvfs(path.c_str(), &space) != 0)
        return 0;
    return double(space.f_bavail) * double(space.f_frsize) / 1e6;
}

TemporaryFolder::TemporaryFolder() {
    std::string pattern = (std::filesystem::temp_directory_path() / "trainyard-XXXXXX").string();
    if (!::mkdtemp(pattern.data()))
        throw std::runtime_error("The temporary folder cannot be made: " + pattern);
    m_path = pattern;
}

TemporaryFolder::~TemporaryFolder() {
    std::error_code ignored; // what cannot be removed stays in the temporary folder, which the system clears
    std::filesystem::remove_all(m_path, ignored);
}

} // namespace trainyard
